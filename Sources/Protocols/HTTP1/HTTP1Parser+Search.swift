import Citation
import HTTPSemantics

/// Looking for the next thing that can be read, after an error, after a hole, or in the middle of a stream.
///
/// The bytes are taken line by line; `held` is the line so far. An error is reported when enough bytes are there to
/// quote, or when the search ends before that.
struct Search: Sendable {
  /// Longer lines are passed over.
  static let lineLimit = 8 * 1024
  /// How often one message's chunks are found again.
  static let resumptionLimit = 8

  enum Goal: Sendable {
    case startLine
    /// A chunk's size line will do too: the message is still open.
    case startLineOrChunk
    case nothing
  }

  struct Pending: Sendable {
    var kind: FramingError.Kind
    var quoted: HeldBytes
    var place: Incomplete.Place
    var endsMessage: Bool
  }

  var goal: Goal = .startLine
  /// Where the bytes begin that belong to nothing; nil until the first one comes.
  var start: UInt64?
  /// The line is the first one.
  var isFresh = true
  var isOverlong = false
  var pending: Pending?
  /// It began with an error, not with a hole.
  var failed = false
}

extension HTTP1Parser {
  /// Cannot read on. `held` begins with the bytes that make no sense, and holds all of them that were consumed if
  /// `isWhole`.
  mutating func fail(
    _ kind: FramingError.Kind, endsLine: Bool? = nil, isWhole: Bool = true, into tokens: inout [HTTP1Token]
  ) {
    let isResumable =
      message.isOpen && message.resumptions < Search.resumptionLimit
      && (kind == .chunkDataMismatch
        || message.chunkCount > 0 && (kind == .chunkSizeMalformed || kind == .chunkSizeEmpty))
    let goal: Search.Goal = isResumable ? .startLineOrChunk : hasSearched ? .nothing : .startLine
    if !isResumable { hasSearched = true }
    search = Search(
      goal: goal, start: held.base,
      pending: Search.Pending(
        kind: kind, quoted: held.prefix(FramingError.excerptLength), place: place, endsMessage: !isResumable),
      failed: true)
    state = .searching
    let endsLine = endsLine ?? (held.bytes.last == .lineFeed)
    flushFullError(into: &tokens)
    guard case .searching = state else { return }
    if isWhole, held.count <= Search.lineLimit {
      if endsLine, !examineLine(into: &tokens) { nextLine() }
    } else {
      held.removeAll()
      search.isFresh = false
      search.isOverlong = !endsLine
    }
  }

  mutating func searchOn(_ input: borrowing CitedBytes, _ position: Int, into tokens: inout [HTTP1Token]) -> Int {
    if search.start == nil { search.start = input.offset &+ UInt64(truncatingIfNeeded: position) }
    if case .nothing = search.goal {
      quote(input, position..<input.bytes.count, into: &tokens)
      return input.bytes.count
    }
    let limit = min(input.bytes.count, position + Search.lineLimit - held.count)
    guard let found = lineFeed(in: input.bytes, position..<limit) else {
      if !search.isOverlong { held.append(input, position..<limit) }
      offset = input.offset &+ UInt64(truncatingIfNeeded: limit)
      quote(input, position..<limit, into: &tokens)
      if held.count >= Search.lineLimit {
        held.removeAll()
        search.isOverlong = true
      }
      return limit
    }
    if !search.isOverlong { held.append(input, position..<found + 1) }
    offset = input.offset &+ UInt64(truncatingIfNeeded: found + 1)
    quote(input, position..<found + 1, into: &tokens)
    guard case .searching = state else { return found + 1 }
    if search.isOverlong || !examineLine(into: &tokens) { nextLine() }
    return found + 1
  }

  private mutating func nextLine() {
    held.removeAll()
    search.isFresh = false
    search.isOverlong = false
  }

  // MARK: The error to be reported

  private mutating func quote(_ input: borrowing CitedBytes, _ range: Range<Int>, into tokens: inout [HTTP1Token]) {
    guard search.pending != nil else { return }
    search.pending?.quoted.append(input, range, limit: FramingError.excerptLength)
    flushFullError(into: &tokens)
  }

  private mutating func flushFullError(into tokens: inout [HTTP1Token]) {
    guard let pending = search.pending, pending.quoted.count >= FramingError.excerptLength else { return }
    flushError(into: &tokens)
  }

  /// Tells the error; what lies at or behind `limit` is not part of it.
  private mutating func flushError(before limit: UInt64 = .max, into tokens: inout [HTTP1Token]) {
    guard let pending = search.pending else { return }
    search.pending = nil
    let quoted = pending.quoted
    let length = limit <= quoted.base ? 0 : Int(min(UInt64(quoted.count), limit - quoted.base))
    let chunkIndex = message.chunkCount
    if pending.kind == .chunkDataMismatch {
      endChunk(.mismatch, at: chunk.dataEnd, last: chunk.dataLast, into: &tokens)
    }
    var kind = pending.kind
    if kind == .unexpectedBytes, previousFraming == .chunked, HTTP1Parser.beginsWithChunk(quoted.bytes.span) {
      kind = .chunkAfterLastChunk
    }
    tokens.append(
      .framingError(
        FramingError(
          kind, quoted.span(of: 0..<length), Excerpt(quoted.bytes.span.extracting(0..<length), isPayload: false),
          framing: message.isOpen ? message.framing : previousFraming, chunkIndex: chunkIndex)))
    if pending.endsMessage, message.isOpen {
      endMessage(Incomplete(.framingError, in: pending.place), at: quoted.base, into: &tokens)
    }
    if case .searching = state, case .nothing = search.goal {
      held.removeAll()
      state = .opaque
      tokens.append(.opaque(from: quoted.base))
    }
  }

  /// Ends the open message before what is searched; the search goes on unless a tunnel begins.
  private mutating func endMessage(_ reason: Incomplete, at end: UInt64, into tokens: inout [HTTP1Token]) {
    let next = offset
    offset = end
    endMessage(.incomplete(reason), into: &tokens)
    offset = next
    if case .between = state { state = .searching }
  }

  private static func beginsWithChunk(_ bytes: Span<UInt8>) -> Bool {
    guard let end = (0..<bytes.count).first(where: { bytes[$0] == .lineFeed }) else { return false }
    return StartLineSearch.isChunkSize(bytes.extracting(0..<end + 1))
  }

  /// The search ends without a find; whether or not the quotation is full, the error is reported.
  mutating func abandonSearch(into tokens: inout [HTTP1Token]) {
    flushError(into: &tokens)
    held.removeAll()
  }

  // MARK: Finding

  /// Looks at the whole line in `held`; answers whether reading goes on from it.
  private mutating func examineLine(into tokens: inout [HTTP1Token]) -> Bool {
    if case .startLineOrChunk = search.goal, StartLineSearch.isChunkSize(held.bytes.span) {
      resumeChunks(into: &tokens)
      return true
    }
    // Behind the last bytes of a binary body a status line is one, too; in the middle of text it may be quoted.
    let isAnywhere = search.isFresh && search.failed || role == .response && held.bytes.contains { !$0.isText }
    guard let start = StartLineSearch.find(role, held.bytes.span, anywhere: isAnywhere) else { return false }
    resumeAtStartLine(start, into: &tokens)
    return true
  }

  private mutating func resumeChunks(into tokens: inout [HTTP1Token]) {
    let start = held.base
    if let pending = search.pending, pending.kind == .chunkDataMismatch, pending.quoted.base == start {
      search.pending = nil
      endChunk(.missing, at: chunk.dataEnd, last: chunk.dataLast, into: &tokens)
      tokens.append(.lenience(held.lenience(.chunkEndMissing, in: .chunkEnd, line: 0..<held.count, at: 0)))
    } else {
      flushError(before: start, into: &tokens)
      message.resumptions += 1
      tokens.append(.resync(at: start, skipped: start &- (search.start ?? start)))
    }
    sizeLine = ChunkSizeReader()
    chunk.start = start
    chunk.first = held.trail.packet(at: 0)
    for byte in held.bytes { _ = sizeLine.take(byte) }
    takeSizeLine(last: packet, into: &tokens)
  }

  private mutating func resumeAtStartLine(_ index: Int, into tokens: inout [HTTP1Token]) {
    let start = held.base &+ UInt64(truncatingIfNeeded: index)
    flushError(before: start, into: &tokens)
    if message.isOpen {
      endMessage(Incomplete(search.failed ? .framingError : .gap, in: .body), at: start, into: &tokens)
    }
    guard case .searching = state else { return }
    let skipped = start &- (search.start ?? start)
    if skipped > 0 { tokens.append(.resync(at: start, skipped: skipped)) }
    held.dropFirst(index)
    lineEnds.removeAll(keepingCapacity: true)
    state = .startLine
    takeStartLine(into: &tokens)
  }
}

extension UInt8 {
  /// As lines of text in ASCII have them.
  fileprivate var isText: Bool {
    0x20..<0x7F ~= self || self == .horizontalTab || self == .carriageReturn || self == .lineFeed
  }
}

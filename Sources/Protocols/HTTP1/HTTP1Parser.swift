import Citation
import HTTPSemantics

/// One direction of an HTTP/1.x connection.
///
/// Memory: the bytes of the section being read (at most HeaderBlock.limit), 64 bytes of a chunk's size line, 32 bytes of
/// what cannot be read, and one small record for each request without response (RequestQueue.limit).
///
/// Invariants: `held` holds the bytes from the start of the current element up to what was consumed, and is empty while
/// a body is read; a message is open from its messageStart token to its messageEnd token.
package struct HTTP1Parser: IncrementalParser {
  package enum Start: Sendable {
    case atMessage
    /// The stream is picked up somewhere: reading begins at the first start line.
    case midstream
    /// It is picked up inside of a body, which is read from an offset on: where a chunk begins, or anywhere if the framing
    /// is `.close`. What ends such a body is not known.
    case inBody(Framing, from: UInt64)
  }

  enum State: Sendable {
    /// Before a message; empty lines are skipped.
    case between
    case startLine, fields
    case length(UInt64)
    /// The same, and no byte of it decided yet: the unseen request may have been HEAD. See weighBody.
    case lengthOrNone(UInt64)
    case untilClose
    case chunkSize
    case chunkData(UInt64)
    case chunkTail(ChunkTail)
    case trailers
    case searching
    /// Before the place from which a body is read whose head was not captured, and in such a body. See `join`.
    case joining(Framing, from: UInt64)
    case unmarked(mayBegin: Bool)
    case tunnel, opaque
  }

  /// What was read of the line end after a chunk's data.
  enum ChunkTail: Sendable {
    case nothing, carriageReturn, lineFeed
  }

  /// The message being read.
  struct OpenMessage: Sendable {
    var isOpen = false
    var framing: Framing = .none
    var bodyBytes: UInt64 = 0
    var missingBytes: UInt64 = 0
    var chunkCount = 0
    /// How often its chunks were found again after bytes that made no sense.
    var resumptions = 0
  }

  /// The chunk being read.
  struct OpenChunk: Sendable {
    var size: UInt64 = 0
    var start: UInt64 = 0
    var first: PacketRef = .none
    var sizeLineLast: PacketRef = .none
    var dataFirst: PacketRef = .none
    var dataLast: PacketRef = .none
    var dataEnd: UInt64 = 0
  }

  package let role: HTTP1Role
  var state: State = .between
  /// The next stream offset.
  var offset: UInt64 = 0
  /// The packet consumed last, and the one that made it readable.
  var packet: PacketRef = .none
  var released: PacketRef = .none

  var message = OpenMessage()
  var chunk = OpenChunk()
  var sizeLine = ChunkSizeReader()
  var held = HeldBytes()
  /// Where the lines of the section in `held` end.
  var lineEnds: [UInt32] = []
  private var lineRoom = ArrayRoom()
  var startLine: StartLine?
  var requests = RequestQueue()
  var emptyLines = EmptyLines()
  var search = Search()

  /// The framing of the message before, while there is none.
  var previousFraming: Framing?
  /// The message before said that it was the last one.
  var wasLast = false
  /// The request before asked for a tunnel.
  var expectsTunnel = false
  /// The dialogue announced one while a message was open.
  var tunnelsAfterMessage = false
  /// A start line was searched for, and no message has become complete since: there is no second search.
  var hasSearched = false

  package init(_ role: HTTP1Role, start: Start = .atMessage) {
    self.role = role
    switch start {
    case .atMessage: break
    case .midstream:
      state = .searching
      search = Search(goal: .startLine, isFresh: true)
    case .inBody(let framing, let from): state = .joining(framing, from: from)
    }
  }

  // MARK: What the dialogue says

  /// The request that the response after those expected so far will answer. Responses are framed by it; without one a
  /// response is read as the answer to GET, and its head says so.
  package mutating func expect(_ request: RequestContext) {
    requests.append(request)
  }

  /// The responses of the oldest expected requests do not come: the capture lacks them.
  package mutating func forgetExpected(_ count: Int) {
    for _ in 0..<min(count, requests.count) { requests.removeFirst() }
  }

  /// Requests whose final response head has not been read.
  package var expectedResponses: Int { requests.count }

  /// What it keeps of a section, and of requests without response. Mutating, because to ask the whole is copied.
  package mutating func countHeld() -> Int {
    lineRoom.note(lineEnds.count)
    return held.countHeld() + lineRoom.held(UInt32.self) + requests.count * MemoryLayout<RequestContext>.stride
  }

  // Mutating, or the parser is copied for the question.

  package var isMessageOpen: Bool { mutating get { message.isOpen } }

  /// Behind a hole or bytes that are no HTTP, and no message was found since.
  package var isSearching: Bool { if case .searching = state { true } else { false } }

  /// Nothing is read any more. Asked for every chunk.
  @inline(__always)
  package var isDone: Bool {
    mutating get {
      switch state {
      case .tunnel, .opaque: true
      default: false
      }
    }
  }

  /// Both sides agreed on another protocol: it begins at the end of the current message, or here.
  package mutating func switchToTunnel(into tokens: inout [HTTP1Token]) {
    guard !isDone else { return }
    if message.isOpen {
      tunnelsAfterMessage = true
      return
    }
    var start = offset
    switch state {
    case .startLine where held.count > 0: start = held.base
    case .searching:
      // What could not be read were the first bytes of the tunnel, unless it was reported already.
      if let pending = search.pending { start = pending.quoted.base }
      search.pending = nil
    default: break
    }
    becomeTunnel(from: start, .agreed, into: &tokens)
  }

  mutating func becomeTunnel(from start: UInt64, _ kind: HTTP1Token.Tunnel, into tokens: inout [HTTP1Token]) {
    state = .tunnel
    tunnelsAfterMessage = false
    held.removeAll()
    tokens.append(.tunnel(from: start, kind))
  }

  // MARK: IncrementalParser

  package mutating func consume(_ input: borrowing CitedBytes, into tokens: inout [HTTP1Token]) {
    let count = input.bytes.count
    guard count > 0 else { return }
    packet = input.packet
    released = input.released
    var position = 0
    while position < count {
      offset = input.offset &+ UInt64(truncatingIfNeeded: position)
      switch state {
      case .between: position = skipEmptyLines(input, position, into: &tokens)
      case .startLine: position = readStartLine(input, position, into: &tokens)
      case .fields: position = readFields(input, position, into: &tokens)
      case .trailers: position = readTrailers(input, position, into: &tokens)
      case .length(let remaining):
        let taken = takeBody(input, position, remaining, into: &tokens)
        position += taken
        let left = remaining - UInt64(taken)
        state = .length(left)
        if left == 0 {
          offset &+= UInt64(taken)
          endMessage(.complete, into: &tokens)
        }
      case .lengthOrNone(let length): position = weighBody(input, position, length, into: &tokens)
      case .untilClose: position += takeBody(input, position, .max, into: &tokens)
      case .chunkSize, .chunkData, .chunkTail: position = readChunks(input, position, into: &tokens)
      case .searching: position = searchOn(input, position, into: &tokens)
      case .joining(let framing, let from): position = join(input, framing, from: from, into: &tokens)
      case .unmarked(let mayBegin): position = readUnmarked(input, position, mayBegin: mayBegin, into: &tokens)
      case .tunnel, .opaque: position = count
      }
    }
    offset = input.offset &+ UInt64(truncatingIfNeeded: count)
  }

  /// Takes bytes that are of a body from the first to the last, and end neither it nor a chunk of it; answers where in the
  /// body they stand. Nil leaves them to `consume`, which would say the same with a token.
  @inline(__always)
  package mutating func takeInside(_ input: borrowing CitedBytes) -> UInt64? {
    let count = UInt64(truncatingIfNeeded: input.bytes.count)
    let end = input.offset &+ count
    guard end > input.offset else { return nil }
    switch state {
    case .length(let remaining):
      guard remaining > count else { return nil }
      state = .length(remaining &- count)
    case .chunkData(let remaining):
      guard remaining > count else { return nil }
      if remaining == chunk.size { chunk.dataFirst = input.packet }
      chunk.dataLast = input.packet
      chunk.dataEnd = end
      state = .chunkData(remaining &- count)
    default: return nil
    }
    packet = input.packet
    released = input.released
    offset = end
    defer { message.bodyBytes &+= count }
    return message.bodyBytes
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [HTTP1Token]) {
    skip(gap: range, isLengthKnown: true, into: &tokens)
  }

  /// Bytes are missing. Where nobody knows how many, the end of what they are in cannot be counted to.
  package mutating func skip(gap range: Range<UInt64>, isLengthKnown: Bool, into tokens: inout [HTTP1Token]) {
    flushWeighedBody(into: &tokens)
    flushUnmarked(into: &tokens)
    tokens.append(.gap(range))
    let length = range.upperBound - range.lowerBound
    switch state {
    case .tunnel, .opaque: break
    case .untilClose:
      message.bodyBytes &+= length
      message.missingBytes &+= length
    case .unmarked:
      message.bodyBytes &+= length
      message.missingBytes &+= length
      // The next response may begin behind it.
      state = .unmarked(mayBegin: true)
    case .length(let remaining) where isLengthKnown && length <= remaining:
      message.bodyBytes &+= length
      message.missingBytes &+= length
      state = .length(remaining - length)
      offset = range.upperBound
      if length == remaining { endMessage(.complete, into: &tokens) }
    case .chunkData(let remaining) where isLengthKnown && length <= remaining:
      message.bodyBytes &+= length
      message.missingBytes &+= length
      // The edges that the capture lacks came no earlier and no later than what it has.
      if remaining == chunk.size { chunk.dataFirst = packet }
      chunk.dataLast = packet
      chunk.dataEnd = range.upperBound
      state = length == remaining ? .chunkTail(.nothing) : .chunkData(remaining - length)
    case .chunkSize, .chunkData, .chunkTail:
      held.removeAll()
      message.missingBytes &+= length
      search = Search(goal: .startLineOrChunk, start: range.upperBound, isFresh: true)
      state = .searching
    default:
      breakOff(Incomplete(.gap, in: place), into: &tokens)
      search = Search(goal: .startLine, start: range.upperBound, isFresh: true)
      state = .searching
    }
    offset = range.upperBound
  }

  package mutating func finish(_ end: DirectionEnd, into tokens: inout [HTTP1Token]) {
    let cause: Incomplete.Cause =
      switch end {
      case .fin: .fin
      case .reset: .reset
      case .evicted: .evicted
      case .captureEnded: .captureEnded
      }
    flushWeighedBody(into: &tokens)
    flushUnmarked(into: &tokens)
    switch state {
    case .tunnel, .opaque: return
    case .untilClose where end == .fin, .unmarked where end == .fin: endMessage(.complete, into: &tokens)
    case .chunkTail(let tail) where tail == .lineFeed:
      // Nothing follows that could show the LF to be something else.
      endChunk(byHeldByte: tail, into: &tokens)
      breakOff(Incomplete(cause, in: .chunkSize), into: &tokens)
    case .length(let remaining), .chunkData(let remaining):
      breakOff(Incomplete(cause, in: place, outstanding: remaining), into: &tokens)
    default: breakOff(Incomplete(cause, in: place), into: &tokens)
    }
    state = .opaque
  }

  /// Where in a message the parser is.
  var place: Incomplete.Place {
    switch state {
    case .startLine, .between: .startLine
    case .fields: .fields
    case .chunkSize: .chunkSize
    case .chunkData: .chunkData
    case .chunkTail: .chunkEnd
    case .trailers: .trailers
    case .length, .lengthOrNone, .untilClose, .unmarked, .joining, .searching, .tunnel, .opaque: .body
    }
  }

  /// Ends whatever is being read, because nothing follows that could be joined to it.
  private mutating func breakOff(_ reason: Incomplete, into tokens: inout [HTTP1Token]) {
    switch state {
    case .between:
      flushEmptyLines(into: &tokens)
    case .startLine:
      if !message.isOpen {
        if expectsTunnel { return becomeTunnel(from: held.base, .presumed, into: &tokens) }
        guard !held.bytes.allSatisfy(\.isBlank) else {
          fail(.unexpectedBytes, into: &tokens)
          abandonSearch(into: &tokens)
          return
        }
        openMessage(into: &tokens)
      }
      partialStartLine(into: &tokens)
    case .fields:
      tokens.append(.partialHead(partialHead(into: &tokens)))
    case .trailers where !lineEnds.isEmpty:
      takeTrailers(into: &tokens)
    case .searching:
      abandonSearch(into: &tokens)
    default: break
    }
    if message.isOpen {
      var reason = reason
      if case .searching = state, reason.cause != .gap { reason.cause = search.failed ? .framingError : .gap }
      endMessage(.incomplete(reason), into: &tokens)
    }
    held.removeAll()
  }

  // MARK: Messages and bodies

  mutating func openMessage(into tokens: inout [HTTP1Token]) {
    let first = held.trail.packet(at: 0)
    message = OpenMessage(isOpen: true)
    tokens.append(.messageStart(at: held.base, first))
    if wasLast {
      tokens.append(.lenience(held.lenience(.messageAfterClose, in: .between, line: 0..<1, at: 0)))
      wasLast = false
    }
    expectsTunnel = false
  }

  mutating func endMessage(_ outcome: MessageEnd.Outcome, into tokens: inout [HTTP1Token]) {
    message.isOpen = false
    previousFraming = message.framing
    if outcome == .complete { hasSearched = false }
    tokens.append(
      .messageEnd(
        MessageEnd(
          outcome, offset: offset, packet: packet, released: released, bodyBytes: message.bodyBytes,
          missingBytes: message.missingBytes)))
    state = .between
    if tunnelsAfterMessage { becomeTunnel(from: offset, .agreed, into: &tokens) }
  }

  /// Names the next body bytes and answers how many they are.
  @inline(__always)
  mutating func takeBody(
    _ input: borrowing CitedBytes, _ position: Int, _ remaining: UInt64, into tokens: inout [HTTP1Token]
  ) -> Int {
    let available = input.bytes.count - position
    let taken = Int(truncatingIfNeeded: min(UInt64(truncatingIfNeeded: available), remaining))
    let start = input.offset &+ UInt64(truncatingIfNeeded: position)
    let end = start &+ UInt64(truncatingIfNeeded: taken)
    if taken > 0, end > start { tokens.append(.body(range: start..<end, bodyOffset: message.bodyBytes)) }
    message.bodyBytes &+= UInt64(truncatingIfNeeded: taken)
    return taken
  }
}

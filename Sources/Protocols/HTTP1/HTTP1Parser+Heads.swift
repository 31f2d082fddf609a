import Citation
import HTTPSemantics

/// Empty lines before a start line: reported as one, however many they are.
struct EmptyLines: Sendable {
  var start: UInt64 = 0
  var end: UInt64 = 0
  var last: PacketRef = .none
  var lines = 0
}

extension HTTP1Parser {
  // MARK: Before a message

  mutating func skipEmptyLines(
    _ input: borrowing CitedBytes, _ position: Int, into tokens: inout [HTTP1Token]
  ) -> Int {
    var end = position
    // After a request for a tunnel nothing is skipped: the bytes may be the tunnel's.
    if !expectsTunnel {
      while end < input.bytes.count, input.bytes[end] == .carriageReturn || input.bytes[end] == .lineFeed {
        if input.bytes[end] == .lineFeed { emptyLines.lines &+= 1 }
        end += 1
      }
    }
    if end > position {
      if emptyLines.end == emptyLines.start { emptyLines.start = input.offset &+ UInt64(truncatingIfNeeded: position) }
      emptyLines.end = input.offset &+ UInt64(truncatingIfNeeded: end)
      emptyLines.last = input.packet
      held.append(input, position..<end, limit: Excerpt.limit)
    }
    if end < input.bytes.count {
      flushEmptyLines(into: &tokens)
      state = .startLine
      lineEnds.removeAll(keepingCapacity: true)
    }
    return end
  }

  mutating func flushEmptyLines(into tokens: inout [HTTP1Token]) {
    if emptyLines.end > emptyLines.start {
      let span = ByteSpan(
        emptyLines.start..<emptyLines.end, first: held.trail.packet(at: 0), last: emptyLines.last)
      let excerpt = Excerpt(held.bytes.span, isPayload: false)
      tokens.append(
        .lenience(Lenience(.leadingEmptyLines, in: .between, span, excerpt, count: max(1, emptyLines.lines))))
    }
    emptyLines = EmptyLines()
    held.removeAll()
  }

  // MARK: The start line

  mutating func readStartLine(
    _ input: borrowing CitedBytes, _ position: Int, into tokens: inout [HTTP1Token]
  ) -> Int {
    let limit = min(input.bytes.count, position + HeaderBlock.limit - held.count)
    if let lineEnd = lineFeed(in: input.bytes, position..<limit) {
      held.append(input, position..<lineEnd + 1)
      offset = held.end
      takeStartLine(into: &tokens)
      return lineEnd + 1
    }
    held.append(input, position..<limit)
    offset = held.end
    if !message.isOpen { weighPrefix(into: &tokens) }
    if case .startLine = state, held.count == HeaderBlock.limit { fail(.headTooLarge, into: &tokens) }
    return limit
  }

  /// Opens a message, or not, by its first bytes.
  private mutating func weighPrefix(into tokens: inout [HTTP1Token]) {
    switch StartLinePrefix.read(role, held.bytes.span, knownMethodsOnly: expectsTunnel) {
    case .certain: openMessage(into: &tokens)
    case .undecided: break
    case .impossible: refuseStart(into: &tokens)
    }
  }

  private mutating func refuseStart(into tokens: inout [HTTP1Token]) {
    if expectsTunnel {
      becomeTunnel(from: held.base, .presumed, into: &tokens)
    } else if role == .response, requests.first?.version == .simple {
      beginSimpleReply(into: &tokens)
    } else {
      fail(.unexpectedBytes, into: &tokens)
    }
  }

  /// HTTP/0.9 replies with the body alone.
  private mutating func beginSimpleReply(into tokens: inout [HTTP1Token]) {
    openMessage(into: &tokens)
    requests.removeFirst()
    tokens.append(.lenience(held.lenience(.simpleMessage, in: .startLine, line: 0..<1, at: 0)))
    let span = held.span(of: 0..<0)
    let block = HeaderBlock(offset: held.base, trail: held.trail)
    tokens.append(
      .head(
        MessageHead(
          line: .response(status: .none, reason: 0..<0), version: .simple, block: block, span: span, released: released,
          framing: .close, reason: .simple, isPersistent: false)))
    message.framing = .close
    message.bodyBytes = UInt64(held.count)
    tokens.append(.body(range: held.base..<held.end, bodyOffset: 0))
    held.removeAll()
    state = .untilClose
  }

  /// `held` is a whole line.
  mutating func takeStartLine(into tokens: inout [HTTP1Token]) {
    if !message.isOpen { weighPrefix(into: &tokens) }
    guard case .startLine = state else { return }
    guard let line = StartLine.parse(role, held.bytes.span, 0..<held.count) else {
      if message.isOpen { fail(.startLineMalformed, into: &tokens) } else { refuseStart(into: &tokens) }
      return
    }
    if line.isHTTP2Preface {
      if message.isOpen { endMessage(.complete, into: &tokens) }
      return becomeTunnel(from: held.base, .http2Preface, into: &tokens)
    }
    if !message.isOpen { openMessage(into: &tokens) }
    startLine = line
    lineEnds.removeAll(keepingCapacity: true)
    lineEnds.append(UInt32(truncatingIfNeeded: held.count))
    state = .fields
    if line.version == .simple, role == .request { takeHead(into: &tokens) }
  }

  // MARK: Fields

  /// Finds the ends of lines up to the empty one, and copies what it passed in one piece.
  mutating func readFields(_ input: borrowing CitedBytes, _ position: Int, into tokens: inout [HTTP1Token]) -> Int {
    let limit = min(input.bytes.count, position + HeaderBlock.limit - held.count)
    let shift = held.count - position
    var lineStart = lineEnds.last.map(Int.init) ?? 0
    var cursor = position
    while let found = lineFeed(in: input.bytes, cursor..<limit) {
      let end = shift + found + 1
      lineEnds.append(UInt32(truncatingIfNeeded: end))
      if end - lineStart <= 2, isEmptyLine(input, at: found, length: end - lineStart, from: position) {
        held.append(input, position..<found + 1)
        offset = held.end
        takeHead(into: &tokens)
        return found + 1
      }
      lineStart = end
      cursor = found + 1
    }
    held.append(input, position..<limit)
    offset = held.end
    if held.count == HeaderBlock.limit {
      tokens.append(.partialHead(partialHead(into: &tokens)))
      fail(.headTooLarge, into: &tokens)
    }
    return limit
  }

  /// Whether a line of one or two bytes that ends at `found` holds nothing but its line end.
  private func isEmptyLine(_ input: borrowing CitedBytes, at found: Int, length: Int, from position: Int) -> Bool {
    if length == 1 { return true }
    return found > position ? input.bytes[found - 1] == .carriageReturn : held.bytes.last == .carriageReturn
  }

  /// `held` is a whole head.
  private mutating func takeHead(into tokens: inout [HTTP1Token]) {
    var leniences = LenienceList()
    let head = readHead(&leniences)
    held.letGo()
    for lenience in leniences.items { tokens.append(.lenience(lenience)) }
    message.framing = head.framing
    let framing = head.framing
    let isRequestKnown = head.isRequestKnown
    let isInterim = head.isInterim
    if role == .request {
      expectsTunnel = head.method == .connect || head.asksUpgrade
      wasLast = !head.isPersistent
    } else if !isInterim {
      requests.removeFirst()
      wasLast = !head.isPersistent
    }
    let length = head.contentLength
    tokens.append(.head(head))
    switch framing {
    case .none: endMessage(.complete, into: &tokens)
    case .tunnel:
      tunnelsAfterMessage = true
      endMessage(.complete, into: &tokens)
    case .length:
      state = isRequestKnown || length <= StartLineSearch.statusLength ? .length(length) : .lengthOrNone(length)
      if length == 0 { endMessage(.complete, into: &tokens) }
    // HTTP/1 has no streams.
    case .close, .stream: state = .untilClose
    case .chunked: beginChunk()
    }
  }

  private mutating func readHead(_ leniences: inout LenienceList) -> MessageHead {
    guard let startLine else { return emptyHead() }
    let request = role == .response ? requests.first : nil
    if !startLine.remarks.isEmpty {
      let line = 0..<Int(lineEnds.first ?? 0)
      for remark in startLine.remarks {
        leniences.note(remark.kind, in: .startLine, held, line: line, at: remark.index)
      }
    }
    let section = FieldSection(held, lineEnds: lineEnds, from: 1, place: .fields, leniences: &leniences)
    let plan = BodyPlan(held, startLine, section, for: request, leniences: &leniences)
    let bytes = held.bytes.span
    var isPersistent = true
    if startLine.version < .http11 {
      isPersistent = section.connection(bytes, has: "keep-alive")
    } else if !section.connections.isEmpty {
      isPersistent = !section.connection(bytes, has: "close")
    }
    return MessageHead(
      line: startLine.line, version: startLine.version,
      block: held.block(fields: section.fields, fieldsCut: section.fieldsCut), span: held.span(of: 0..<held.count),
      released: released, framing: plan.framing, reason: plan.reason, contentLength: plan.length,
      isRequestKnown: role == .request || request != nil, isPersistent: isPersistent,
      asksUpgrade: section.hasUpgrade && section.connection(bytes, has: "upgrade"))
  }

  private func emptyHead() -> MessageHead {
    MessageHead(
      line: .response(status: .none, reason: 0..<0), version: .simple, block: held.block(),
      span: held.span(of: 0..<held.count), released: released)
  }

  /// What a start line without its line end says, where its version or status is whole.
  mutating func partialStartLine(into tokens: inout [HTTP1Token]) {
    guard var line = StartLine.parse(role, held.bytes.span, 0..<held.count), line.version != .simple else { return }
    let unfinished: [Lenience.Kind] = [.bareLF, .bareCR, .startLineSpacing, .reasonSeparatorMissing]
    line.remarks.removeAll { unfinished.contains($0.kind) }
    guard !line.remarks.contains(where: { $0.kind == .versionMalformed || $0.kind == .statusMalformed }) else { return }
    startLine = line
    lineEnds.removeAll(keepingCapacity: true)
    lineEnds.append(UInt32(truncatingIfNeeded: held.count))
    tokens.append(.partialHead(partialHead(into: &tokens)))
  }

  /// The lines that were there when a head broke off, and what is odd in the last piece.
  mutating func partialHead(into tokens: inout [HTTP1Token]) -> MessageHead {
    var leniences = LenienceList()
    let head = readHead(&leniences)
    let start = Int(lineEnds.last ?? 0)
    let line = start..<held.count
    if let first = line.first {
      let bytes = held.bytes
      if bytes[first].isBlank {
        let kind: Lenience.Kind = head.block.fields.isEmpty ? .spaceBeforeFirstField : .foldedLine
        leniences.note(kind, in: .fields, held, line: line, at: first)
      }
      if let index = bytes[first..<bytes.count - 1].firstIndex(of: .carriageReturn) {
        leniences.note(.bareCR, in: .fields, held, line: line, at: index)
      }
    }
    for lenience in leniences.items { tokens.append(.lenience(lenience)) }
    return head
  }

  // MARK: Trailers

  mutating func readTrailers(_ input: borrowing CitedBytes, _ position: Int, into tokens: inout [HTTP1Token]) -> Int {
    let limit = min(input.bytes.count, position + HeaderBlock.limit - held.count)
    guard let found = lineFeed(in: input.bytes, position..<limit) else {
      held.append(input, position..<limit)
      offset = held.end
      if held.count == HeaderBlock.limit {
        takeTrailers(into: &tokens)
        fail(.trailersTooLarge, into: &tokens)
      }
      return limit
    }
    let lineStart = Int(lineEnds.last ?? 0)
    held.append(input, position..<found + 1)
    offset = held.end
    let length = held.count - lineStart
    if length == 1 || length == 2 && held.bytes[lineStart] == .carriageReturn {
      lineEnds.append(UInt32(truncatingIfNeeded: held.count))
      takeTrailers(into: &tokens)
      held.removeAll()
      endMessage(.complete, into: &tokens)
    } else if StartLineSearch.find(role, held.bytes.span.extracting(lineStart..<held.count), anywhere: false) == 0 {
      endWithoutFinalLine(lineStart, into: &tokens)
    } else {
      lineEnds.append(UInt32(truncatingIfNeeded: held.count))
    }
    return found + 1
  }

  /// The next message begins where the empty line should be.
  private mutating func endWithoutFinalLine(_ lineStart: Int, into tokens: inout [HTTP1Token]) {
    takeTrailers(into: &tokens)
    tokens.append(
      .lenience(held.lenience(.finalLineMissing, in: .trailers, line: lineStart..<held.count, at: lineStart)))
    let next = held
    offset = next.base &+ UInt64(truncatingIfNeeded: lineStart)
    endMessage(.complete, into: &tokens)
    guard case .between = state else { return }
    held = next
    held.dropFirst(lineStart)
    offset = held.end
    state = .startLine
    takeStartLine(into: &tokens)
  }

  /// Tells the trailer fields in the lines so far, where there are any.
  mutating func takeTrailers(into tokens: inout [HTTP1Token]) {
    var leniences = LenienceList()
    let section = FieldSection(held, lineEnds: lineEnds, from: 0, place: .trailers, leniences: &leniences)
    for lenience in leniences.items { tokens.append(.lenience(lenience)) }
    if !section.fields.isEmpty {
      let end = Int(lineEnds.last ?? 0)
      tokens.append(.trailers(held.block(upTo: end, fields: section.fields, fieldsCut: section.fieldsCut)))
    }
  }
}

import Citation
import HTTPSemantics

/// A body whose head was sent before the capture began.
extension HTTP1Parser {
  /// Passes over what comes before the place where the body can be read, and opens the message there.
  mutating func join(
    _ input: borrowing CitedBytes, _ framing: Framing, from start: UInt64, into tokens: inout [HTTP1Token]
  ) -> Int {
    let skipped = Int(clamping: max(start, input.offset) &- input.offset)
    guard skipped < input.bytes.count else { return input.bytes.count }
    offset = input.offset &+ UInt64(truncatingIfNeeded: skipped)
    message = OpenMessage(isOpen: true, framing: framing)
    tokens.append(.messageStart(at: offset, input.packet))
    if framing == .chunked { beginChunk() } else { state = .unmarked(mayBegin: false) }
    return skipped
  }

  /// A body without chunks, of which nobody knows whether a length or the end of the connection ends it: it goes on until
  /// a status line stands where one may begin. `held` is what may become one, where a segment ends inside of it.
  mutating func readUnmarked(
    _ input: borrowing CitedBytes, _ start: Int, mayBegin: Bool, into tokens: inout [HTTP1Token]
  ) -> Int {
    var position = start
    var mayBegin = mayBegin
    while held.count > 0, position < input.bytes.count {
      let line = held.bytes + [input.bytes[position]]
      guard StartLineSearch.mayBeginStatusLine(line.span) else {
        mayBegin = held.bytes.last.map(StartLineSearch.mayEndBody) ?? false
        flushUnmarked(into: &tokens)
        break
      }
      held.append(input, position..<position + 1)
      position += 1
      offset = held.end
      if held.count == StartLineSearch.statusLength { return beginNext(at: position, into: &tokens) }
    }
    let bodyStart = position
    let count = input.bytes.count
    while let found = firstPlace(of: StartLineSearch.statusLineStart, in: input.bytes, position..<count) {
      position = found + 1
      let candidate = found..<min(found + StartLineSearch.statusLength, count)
      guard found == bodyStart ? mayBegin : StartLineSearch.mayEndBody(input.bytes[found - 1]),
        StartLineSearch.mayBeginStatusLine(input.bytes.extracting(candidate))
      else { continue }
      passUnmarked(input, bodyStart..<found, into: &tokens)
      held.append(input, candidate)
      offset = held.end
      state = .unmarked(mayBegin: true)
      guard candidate.count == StartLineSearch.statusLength else { return count }
      return beginNext(at: candidate.upperBound, into: &tokens)
    }
    passUnmarked(input, bodyStart..<count, into: &tokens)
    if bodyStart < count { mayBegin = StartLineSearch.mayEndBody(input.bytes[count - 1]) }
    if held.count == 0 { state = .unmarked(mayBegin: mayBegin) }
    return count
  }

  private mutating func passUnmarked(
    _ input: borrowing CitedBytes, _ range: Range<Int>, into tokens: inout [HTTP1Token]
  ) {
    guard !range.isEmpty else { return }
    let start = input.offset &+ UInt64(truncatingIfNeeded: range.lowerBound)
    let end = input.offset &+ UInt64(truncatingIfNeeded: range.upperBound)
    tokens.append(.body(range: start..<max(start, end), bodyOffset: message.bodyBytes))
    message.bodyBytes &+= UInt64(truncatingIfNeeded: range.count)
  }

  /// What was held is body.
  mutating func flushUnmarked(into tokens: inout [HTTP1Token]) {
    guard case .unmarked = state, held.count > 0 else { return }
    tokens.append(.body(range: held.base..<held.end, bodyOffset: message.bodyBytes))
    message.bodyBytes &+= UInt64(truncatingIfNeeded: held.count)
    held.removeAll()
  }

  /// What is held begins the next response.
  mutating func beginNext(at position: Int, into tokens: inout [HTTP1Token]) -> Int {
    let next = held
    held.removeAll()
    offset = next.base
    endMessage(.complete, into: &tokens)
    offset = next.end
    guard case .between = state else { return position }
    held = next
    lineEnds.removeAll(keepingCapacity: true)
    state = .startLine
    return position
  }
}

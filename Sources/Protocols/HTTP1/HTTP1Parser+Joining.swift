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
      if held.count == Int(AbsentBody.length) { return beginNext(at: position, into: &tokens) }
    }
    let bodyStart = position
    while position < input.bytes.count {
      if mayBegin, input.bytes[position] == UInt8(ascii: "H") {
        let length = min(Int(AbsentBody.length), input.bytes.count - position)
        if StartLineSearch.mayBeginStatusLine(input.bytes.extracting(position..<position + length)) {
          passUnmarked(input, bodyStart..<position, into: &tokens)
          held.append(input, position..<position + length)
          offset = held.end
          state = .unmarked(mayBegin: true)
          guard length == Int(AbsentBody.length) else { return position + length }
          return beginNext(at: position + length, into: &tokens)
        }
      }
      mayBegin = StartLineSearch.mayEndBody(input.bytes[position])
      position += 1
    }
    passUnmarked(input, bodyStart..<position, into: &tokens)
    if held.count == 0 { state = .unmarked(mayBegin: mayBegin) }
    return position
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
  private mutating func beginNext(at position: Int, into tokens: inout [HTTP1Token]) -> Int {
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

import Citation
import WebSocket
import WebSocketSemantics

/// A parser by the short ways that a dialogue takes, plain frames and chunks inside a payload: it must show what
/// FrameParser alone tells.
struct ShortWays: IncrementalParser {
  var parser = FrameParser()
  let isMasked: Bool

  init(isMasked: Bool) {
    self.isMasked = isMasked
  }

  mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [FrameToken]) {
    let count = chunk.bytes.count
    if let inside = parser.takeInside(chunk) {
      tokens.append(
        .payload(
          range: chunk.offset..<chunk.offset + UInt64(count), payloadOffset: inside.payloadOffset,
          maskKey: inside.maskKey))
      return
    }
    var position = 0
    while let one = parser.plain(chunk, at: position, .toServer, isMasked: isMasked) {
      let end = one.frame
      let payload = one.offset + UInt64(one.headerLength)..<end.span.range.upperBound
      var start = end
      start.received = 0
      start.firstPart = 0
      start.span.range = one.offset..<payload.lowerBound
      tokens.append(.frameStart(start))
      if !payload.isEmpty { tokens.append(.payload(range: payload, payloadOffset: 0, maskKey: one.maskKey)) }
      tokens.append(.frameEnd(end))
      parser.pass(chunk)
      position += one.headerLength + Int(one.length)
    }
    if position < count { parser.consume(chunk.slice(position..<count), into: &tokens) }
  }

  mutating func skip(gap range: Range<UInt64>, into tokens: inout [FrameToken]) {
    parser.skip(gap: range, into: &tokens)
  }

  mutating func finish(_ end: DirectionEnd, into tokens: inout [FrameToken]) {
    parser.finish(end, into: &tokens)
  }
}

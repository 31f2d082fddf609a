// Fuzzes the parser of frames and the probe: they must not trap; the parser must say the same however its input is cut,
// and keep no more than it may.
//
// The first byte says how long the segments are; the rest is the stream. With the high bit set a byte of 0xFE stands for
// a hole of three bytes.
import Trace
import WebSocket
import WebSocketSemantics

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocket(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let whole = tokens(of: bytes, control, segment: bytes.count)
  precondition(whole == tokens(of: bytes, control, segment: Int(control & 15) + 1), "the tokens depend on the cut")
  check(whole, bytes, hasHoles: control & 0x80 != 0)
  let half = FrameProbe.look(at: bytes.span.extracting(0..<bytes.count / 2))
  precondition(half == .unsure || half == FrameProbe.look(at: bytes.span), "more bytes took a verdict back")
  return 0
}

private func tokens(of bytes: [UInt8], _ control: UInt8, segment: Int) -> [FrameToken] {
  let packet = PacketRef(number: 1, time: .zero)
  var parser = FrameParser()
  var result: [FrameToken] = []
  var offset: UInt64 = 0
  var position = 0
  while position < bytes.count {
    if control & 0x80 != 0, bytes[position] == 0xFE {
      parser.skip(gap: offset..<offset + 3, into: &result)
      precondition(parser.isDone && !parser.isInside)
      position += 1
      offset += 3
      continue
    }
    var end = position
    while end < bytes.count, end - position < segment, control & 0x80 == 0 || bytes[end] != 0xFE { end += 1 }
    let chunk = StreamChunk(bytes.span.extracting(position..<end), at: offset, in: packet, released: packet)
    parser.consume(chunk, into: &result)
    offset += UInt64(end - position)
    position = end
  }
  parser.finish(.fin, into: &result)
  precondition(parser.isDone && !parser.isInside)
  return joined(result)
}

/// Frames follow one another, each has one start and one end, and what is unmasked is what came.
private func check(_ tokens: [FrameToken], _ bytes: [UInt8], hasHoles: Bool) {
  var next: UInt64 = 0
  var offset: UInt64 = 0
  var open: Frame?
  var isLost = false
  for token in tokens {
    precondition(!isLost)
    switch token {
    case .frameStart(let frame):
      precondition(open == nil && frame.index == next && frame.span.range.lowerBound == offset)
      open = frame
    case .payload(let range, let place, let key):
      precondition(place == 0 && key == open?.maskKey && range.lowerBound == open?.span.range.upperBound)
    case .frameEnd(let frame):
      precondition(frame.index == next && frame.span.range.lowerBound == offset)
      precondition(frame.control.count <= Frame.controlLimit && frame.received <= frame.length)
      precondition((open != nil) == (frame.headerReleased != nil))
      let payload = bytes[Int(frame.span.range.upperBound - frame.received)...].prefix(frame.control.count)
      for (index, (masked, plain)) in zip(payload, frame.control).enumerated() {
        precondition(masked ^ plain == UInt8(truncatingIfNeeded: (frame.maskKey ?? 0) >> (24 - 8 * (index & 3))))
      }
      offset = frame.span.range.upperBound
      next += 1
      open = nil
    case .lost(let range, _):
      precondition(hasHoles && open == nil && range.lowerBound == offset)
      isLost = true
    }
  }
  precondition(isLost || offset == UInt64(bytes.count) && open == nil)
}

private func joined(_ tokens: [FrameToken]) -> [FrameToken] {
  var result: [FrameToken] = []
  for token in tokens {
    if case .payload(let next, _, _) = token, case .payload(let range, let offset, let key)? = result.last,
      range.upperBound == next.lowerBound
    {
      result[result.count - 1] = .payload(
        range: range.lowerBound..<next.upperBound, payloadOffset: offset, maskKey: key)
    } else {
      result.append(token)
    }
  }
  return result
}

import Citation
// Fuzzes the parser of frames and the probe: they must not trap; the parser must say the same however its input is cut,
// and keep no more than it may.
//
// The first byte says how long the segments are; the rest is the stream. With the high bit set a byte of 0xFE stands for
// a hole of three bytes.
//
// with: ../WebSocketTests/Feeding.swift ../WebSocketTests/ShortWays.swift
import Support
import WebSocket
import WebSocketSemantics

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebSocket(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let whole = tokens(of: bytes, control, segment: bytes.count)
  precondition(whole == tokens(of: bytes, control, segment: Int(control & 15) + 1), "the tokens depend on the cut")
  var short = ShortWays(isMasked: control & 0x40 != 0)
  let shortly = short.tokens(of: bytes, every: Int(control & 15) + 1, hole: control & 0x80 == 0 ? nil : 0xFE).joined
  precondition(whole == shortly, "the short ways tell something else")
  check(whole, bytes, hasHoles: control & 0x80 != 0)
  let half = FrameProbe.look(at: bytes.span.extracting(0..<bytes.count / 2))
  precondition(half == .unsure || half == FrameProbe.look(at: bytes.span), "more bytes took a verdict back")
  return 0
}

private func tokens(of bytes: [UInt8], _ control: UInt8, segment: Int) -> [FrameToken] {
  var parser = FrameParser()
  let result = parser.tokens(of: bytes, every: segment, hole: control & 0x80 == 0 ? nil : 0xFE)
  precondition(parser.isDone && !parser.isInside)
  return result.joined
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

import Citation
// Fuzzes the parser of frames: it must not trap; it must say the same however its input is cut, and keep no more than it
// may.
//
// The first byte says how long the segments are and where the stream begins; the rest is the stream. With the high bit
// set a byte of 0xFE stands for a hole of three bytes.
import HTTP2
import HTTP2Semantics
import Support

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP2(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let whole = tokens(of: bytes, control, segment: bytes.count)
  precondition(whole == tokens(of: bytes, control, segment: Int(control & 15) + 1), "the tokens depend on the cut")
  var end: UInt64 = 0
  for token in whole {
    switch token {
    case .frame(let frame):
      precondition(frame.span.range.lowerBound >= end && frame.missing <= frame.length)
      precondition(frame.span.range.upperBound - frame.span.range.lowerBound == UInt64(frame.length) + 9)
      end = frame.span.range.upperBound
    case .block(let block):
      precondition(block.bytes.count <= HTTP2Block.limit)
      // One that is cut short may end in a frame that never did.
      let last = block.isWhole ? max(1, end) : UInt64(bytes.count) * 3
      precondition(block.citation(0..<block.bytes.count).range.upperBound <= last)
    case .preface, .body, .bodyLost, .fault, .lost, .opaque: break
    }
  }
  if case .found(let at) = HTTP2Probe.search(bytes.span) { precondition(at < bytes.count) }
  return 0
}

private func tokens(of bytes: [UInt8], _ control: UInt8, segment: Int) -> [HTTP2Token] {
  let starts: [HTTP2Parser.Start] = [.preface, .settings, .frame, .frame]
  var parser = HTTP2Parser(starts[Int(control >> 4 & 3)])
  let result = parser.tokens(of: bytes, every: segment, hole: control & 0x80 == 0 ? nil : 0xFE)
  precondition(parser.isDone)
  var joined: [HTTP2Token] = []
  for token in result {
    if case .body(let stream, let next) = token, case .body(stream, let range)? = joined.last,
      range.upperBound == next.lowerBound
    {
      joined[joined.count - 1] = .body(stream: stream, range: range.lowerBound..<next.upperBound)
    } else {
      joined.append(token)
    }
  }
  return joined
}

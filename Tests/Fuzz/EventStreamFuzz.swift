// Fuzzes the parsers of streamed bodies: they must not trap, must say the same however their input is cut, and keep no
// more than they may.
//
// The first byte chooses the parser and the length of the segments; the rest is the body. With the high bit set a byte of
// 0xFF stands for a hole of three bytes.
import EventStream
import Trace

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEventStream(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let segment = Int(control >> 1 & 15) + 1
  if control & 1 == 0 {
    var whole = EventStreamParser()
    var cut = EventStreamParser()
    let same = tokens(&whole, bytes, control, bytes.count) == tokens(&cut, bytes, control, segment)
    precondition(same, "the tokens depend on the cut")
    precondition(whole.lastID == cut.lastID && whole.lastID.count <= EventStreamParser.idLimit)
  } else {
    var whole = JSONLineParser()
    var cut = JSONLineParser()
    let same = tokens(&whole, bytes, control, bytes.count) == tokens(&cut, bytes, control, segment)
    precondition(same, "the tokens depend on the cut")
  }
  return 0
}

private func tokens<Parser: StreamParser>(
  _ parser: inout Parser, _ bytes: [UInt8], _ control: UInt8, _ segment: Int
) -> [Parser.Token] {
  let packet = PacketRef(number: 1, time: .zero)
  var result: [Parser.Token] = []
  var offset: UInt64 = 0
  var position = 0
  while position < bytes.count {
    if control & 0x80 != 0, bytes[position] == 0xFF {
      parser.skip(gap: offset..<offset + 3, into: &result)
      position += 1
      offset += 3
      continue
    }
    var end = position
    while end < bytes.count, end - position < segment, control & 0x80 == 0 || bytes[end] != 0xFF { end += 1 }
    let chunk = StreamChunk(bytes.span.extracting(position..<end), at: offset, in: packet, released: packet)
    parser.consume(chunk, into: &result)
    offset += UInt64(end - position)
    position = end
  }
  parser.finish(.fin, into: &result)
  return result
}

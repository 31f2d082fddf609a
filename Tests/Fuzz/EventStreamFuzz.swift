import Citation
// Fuzzes the parsers of streamed bodies: they must not trap, must say the same however their input is cut, and keep no
// more than they may.
//
// The first byte chooses the parser and the length of the segments; the rest is the body. With the high bit set a byte of
// 0xFF stands for a hole of three bytes.
import EventStream
import Support

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEventStream(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let segment = Int(control >> 1 & 15) + 1
  let hole: UInt8? = control & 0x80 == 0 ? nil : 0xFF
  if control & 1 == 0 {
    var whole = EventStreamParser()
    var cut = EventStreamParser()
    let same =
      whole.tokens(of: bytes, every: bytes.count, hole: hole) == cut.tokens(of: bytes, every: segment, hole: hole)
    precondition(same, "the tokens depend on the cut")
    precondition(whole.lastID == cut.lastID && whole.lastID.count <= EventStreamParser.idLimit)
  } else {
    var whole = JSONLineParser()
    var cut = JSONLineParser()
    let same =
      whole.tokens(of: bytes, every: bytes.count, hole: hole) == cut.tokens(of: bytes, every: segment, hole: hole)
    precondition(same, "the tokens depend on the cut")
  }
  return 0
}

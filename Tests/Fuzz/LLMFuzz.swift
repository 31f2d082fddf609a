import Citation
// Fuzzes the reader of answers: it must not trap, and must say the same however its input is cut.
//
// The first byte chooses events or lines and the length of the segments; the rest is the body. With the high bit set a
// byte of 0xFF stands for a hole of three bytes.
import LLM
import Support

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLLM(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let hole: UInt8? = control & 0x80 == 0 ? nil : 0xFF
  var whole = AnswerReader(control & 1 == 0 ? .events : .lines)
  var cut = AnswerReader(control & 1 == 0 ? .events : .lines)
  let same =
    whole.tokens(of: bytes, every: bytes.count, hole: hole)
    == cut.tokens(of: bytes, every: Int(control >> 1 & 15) + 1, hole: hole)
  precondition(same, "the tokens depend on the cut")
  precondition(whole.dialect == cut.dialect)
  return 0
}

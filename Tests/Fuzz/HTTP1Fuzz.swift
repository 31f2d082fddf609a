import Citation
// Fuzzes the HTTP/1 parser: it must not trap, and must say the same however its input is cut.
//
// The first byte chooses the role, the start and the length of the segments; the rest is the stream. A byte of 0xFF
// with a high bit set in the first one stands for a hole of three bytes.
//
// with: ../HTTP1Tests/Feeding.swift
import HTTP1
import HTTPSemantics
import Support

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP1(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 2 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let whole = tokens(of: bytes, control, segment: bytes.count)
  let cut = tokens(of: bytes, control, segment: Int(control >> 4 & 7) + 1)
  precondition(whole == cut, "the tokens depend on the cut")
  let short = tokens(of: bytes, control, segment: Int(control >> 4 & 7) + 1, byShortWay: true)
  precondition(whole == short, "what is taken inside a body is not what would be told")
  return 0
}

private func tokens(
  of bytes: [UInt8], _ control: UInt8, segment: Int, byShortWay isShort: Bool = false
) -> [HTTP1Token] {
  var parser = HTTP1Parser(control & 1 == 0 ? .request : .response, start: control & 2 == 0 ? .atMessage : .midstream)
  let methods: [Method] = [.get, .head, .connect, .get]
  for index in 0..<Int(control >> 2 & 3) { parser.expect(RequestContext(method: methods[index])) }
  if control & 12 == 12 { parser.expect(RequestContext(method: .get, version: .simple)) }
  let hole: UInt8? = control & 0x80 == 0 ? nil : 0xFF
  guard isShort else { return parser.tokens(of: bytes, every: segment, hole: hole).joined }
  var short = ShortWay(parser: parser)
  return short.tokens(of: bytes, every: segment, hole: hole).joined
}

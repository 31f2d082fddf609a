import Citation
// Fuzzes the reader of multipart bodies: it must not trap, and must say the same however its input is cut.
//
// The first byte chooses the boundary, the kind and the length of the pieces; the rest is the body.
// fuzz: -max_len=2048
import HTTPSemantics
import Multipart

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMultipart(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 2 else { return 0 }
  let control = data[0]
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  let whole = tokens(of: bytes, control, piece: bytes.count)
  let cut = tokens(of: bytes, control, piece: Int(control >> 4 & 7) + 1)
  precondition(whole == cut, "the tokens depend on the cut")
  return 0
}

private let boundaries = ["b0undary", "-----", "----WebKitX", "b"]

private func tokens(of bytes: [UInt8], _ control: UInt8, piece: Int) -> [MultipartToken] {
  guard
    var parser = MultipartParser(boundary: Array(boundaries[Int(control & 3)].utf8), isFormData: control & 4 == 0)
  else { return [] }
  let packet = PacketRef(number: 1, time: .zero)
  var result: [MultipartToken] = []
  var position = 0
  while position < bytes.count {
    let end = min(bytes.count, position + piece)
    parser.consume(bytes.span.extracting(position..<end), at: UInt64(position), in: packet, into: &result)
    position = end
  }
  parser.finish(isWhole: control & 8 == 0, into: &result)
  return result
}

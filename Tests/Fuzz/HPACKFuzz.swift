// Fuzzes the decoder of header blocks: it must not trap, keep no more than it may, and say where each field stands. A
// decoder that did not see the beginning must say the same or nothing.
//
// The first byte is a limit of the table in units of 64 bytes, where it is not 0; the rest are blocks, each behind a
// byte with its length.
import HPACK
import HTTPSemantics

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHPACK(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let bytes = [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
  var decoder = HPACKDecoder()
  var late = HPACKDecoder(startsAnywhere: true)
  if data[0] > 0 { decoder.setLimit(UInt32(data[0]) * 64) }
  var position = 0
  var isLate = false
  while position < bytes.count {
    let end = min(bytes.count, position + 1 + Int(bytes[position]))
    let block = Array(bytes[position + 1..<end])
    let section = decoder.decode(block.span)
    precondition(section.fields.count == section.places.count)
    precondition(section.fields.count <= HeaderBlock.fieldLimit && section.bytes.count <= HeaderBlock.limit)
    precondition(section.places.allSatisfy { $0.range.upperBound <= block.count && !$0.range.isEmpty })
    precondition(section.fields.allSatisfy { $0.value.upperBound <= section.bytes.count })
    if isLate {
      let seen = late.decode(block.span)
      precondition(!seen.faults.contains { $0.kind == .sizeUpdateTooLarge || $0.kind == .sizeUpdateMissing })
    }
    isLate = true
    position = end
  }
  return 0
}

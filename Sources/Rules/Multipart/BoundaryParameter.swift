import Events
import HTTPSemantics

/// The boundary parameter of Content-Type.
struct BoundaryParameter: Equatable {
  /// Without quotes.
  let value: [UInt8]
  let isQuoted: Bool

  /// nil when there is no such parameter.
  init?(_ body: MultipartBody) {
    let held = body.head.block.bytes
    let bytes = held.span
    for part in FieldList.split(bytes, body.type.value, at: UInt8(ascii: ";")).dropFirst() {
      guard let equals = part.first(where: { bytes[$0] == UInt8(ascii: "=") }),
        matches(bytes, FieldList.trim(bytes, part.lowerBound..<equals), "boundary")
      else { continue }
      let value = FieldList.trim(bytes, equals + 1..<part.upperBound)
      isQuoted = value.first.map { bytes[$0] == UInt8(ascii: "\"") } ?? false
      self.value = FieldList.unquoted(bytes, value)
      return
    }
    return nil
  }
}

/// What kind of gRPC a body is, by its type.
package enum GRPCType: Sendable {
  case plain
  /// Of web pages, whose trailers are a part of the body.
  case web
  /// The same in Base64.
  case webText
}

extension HeaderBlock {
  /// `application/grpc`, alone or with the name of a coding behind it, or that of web pages.
  static func grpcType(of fields: [HeaderField], _ names: FieldNames, in bytes: [UInt8]) -> GRPCType? {
    guard names.has(.contentType) else { return nil }
    return fields.first { matches(bytes.span, $0.name, "content-type") }.flatMap { grpcType(of: $0.value, in: bytes) }
  }

  /// The same of the value of the field.
  package func grpcType(of value: Range<Int>) -> GRPCType? { Self.grpcType(of: value, in: bytes) }

  private static func grpcType(of value: Range<Int>, in bytes: [UInt8]) -> GRPCType? {
    let word: StaticString = "application/grpc"
    guard value.count >= word.utf8CodeUnitCount else { return nil }
    let end = value.lowerBound + word.utf8CodeUnitCount
    guard matches(bytes.span, value.lowerBound..<end, word) else { return nil }
    if end == value.upperBound || bytes[end] == UInt8(ascii: "+") || bytes[end] == UInt8(ascii: ";") { return .plain }
    let web: StaticString = "-web"
    guard value.upperBound >= end + web.utf8CodeUnitCount, matches(bytes.span, end..<end + web.utf8CodeUnitCount, web)
    else {
      return nil
    }
    let rest = end + web.utf8CodeUnitCount
    return rest < value.upperBound && bytes[rest] == UInt8(ascii: "-") ? .webText : .web
  }
}

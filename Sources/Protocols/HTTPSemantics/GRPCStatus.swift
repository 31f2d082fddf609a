import Citation

/// How calls of gRPC end: the codes of its list, which are numbers in fields and names everywhere else.
package enum GRPCStatus {
  /// In the order of their codes.
  private static let names = [
    "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
    "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
    "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
  ]

  /// nil for a code that nobody knows.
  package static func name(_ code: UInt64) -> String? { code < UInt64(names.count) ? names[Int(code)] : nil }
}

/// How long the client of a call waits for its end.
package enum GRPCTimeout {
  /// In nanoseconds; nil where the value of the field is none: up to eight digits and a unit.
  package static func nanoseconds(_ text: ArraySlice<UInt8>) -> Int64? {
    guard let last = text.last, let unit = unit(last) else { return nil }
    let digits = text.dropLast()
    guard 1...8 ~= digits.count, digits.allSatisfy(\.isDigit) else { return nil }
    return digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) } * unit
  }

  private static func unit(_ letter: UInt8) -> Int64? {
    switch letter {
    case UInt8(ascii: "H"): 3_600_000_000_000
    case UInt8(ascii: "M"): 60_000_000_000
    case UInt8(ascii: "S"): 1_000_000_000
    case UInt8(ascii: "m"): 1_000_000
    case UInt8(ascii: "u"): 1_000
    case UInt8(ascii: "n"): 1
    default: nil
    }
  }
}

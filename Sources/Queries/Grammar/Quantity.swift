import Citation

/// A figure with its unit, exactly: `1.5s` is 1,500,000,000 and nothing near it.
package enum Quantity {
  package static let durations: [String: UInt64] = [
    "ns": 1, "us": 1_000, "µs": 1_000, "μs": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000,
    "min": 60_000_000_000, "h": 3_600_000_000_000,
  ]
  package static let sizes: [String: UInt64] = [
    "B": 1, "kB": 1_000, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000, "KiB": 1 << 10, "MiB": 1 << 20,
    "GiB": 1 << 30,
  ]

  /// `1.5s`: a number, and a unit of the table; a table with the empty unit takes bare numbers.
  package static func value(_ text: String, in units: [String: UInt64]) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard !digits.isEmpty, digits.utf8.contains(where: isDigit), let unit = units[String(text[digits.endIndex...])]
    else {
      return nil
    }
    return value(digits, times: unit)
  }

  /// `digits` is a decimal number; what is smaller than one is cut off. nil where it is too large, or no number.
  static func value(_ digits: some StringProtocol, times unit: UInt64) -> Int64? {
    let halves = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = halves.first, let whole = number(first) else { return nil }
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    var part: UInt64 = 0
    if halves.count == 2 {
      // Nothing asked about is finer than a billionth of its unit.
      let places = halves[1].prefix(9)
      guard halves[1].utf8.allSatisfy(isDigit), let fraction = number(places) else { return nil }
      let scale = places.reduce(UInt64(1)) { scale, _ in scale * 10 }
      part = scale.dividingFullWidth(unit.multipliedFullWidth(by: fraction)).quotient
    }
    let (sum, isTooLarge) = product.addingReportingOverflow(part)
    return isTooLarge ? nil : Int64(exactly: sum)
  }

  private static func number(_ digits: some StringProtocol) -> UInt64? {
    digits.utf8.allSatisfy(isDigit) ? UInt64(digits) : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

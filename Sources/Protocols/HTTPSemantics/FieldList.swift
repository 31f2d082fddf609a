/// Reading inside field values: list elements, and a word with its parameters.
package enum FieldList {
  /// The elements of a comma-separated value without the blanks around them. Empty elements are kept as empty ranges:
  /// a recipient must ignore them, a linter must not. A comma inside a quoted string separates nothing.
  package static func elements(_ bytes: Span<UInt8>, _ value: Range<Int>) -> [Range<Int>] {
    split(bytes, value, at: UInt8(ascii: ","))
  }

  /// A value cut at a separator that is not inside a quoted string.
  package static func split(_ bytes: Span<UInt8>, _ value: Range<Int>, at separator: UInt8) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    walk(bytes, value, at: separator) { part in
      parts.append(part)
      return true
    }
    return parts
  }

  /// Whether one of the elements is such: until one is, in their order.
  package static func hasElement(_ bytes: Span<UInt8>, _ value: Range<Int>, where isSuch: (Range<Int>) -> Bool) -> Bool
  {
    var isFound = false
    walk(bytes, value, at: UInt8(ascii: ",")) { element in
      isFound = isSuch(element)
      return !isFound
    }
    return isFound
  }

  /// Takes one part after the other, while `take` goes on.
  @inline(__always)
  private static func walk(
    _ bytes: Span<UInt8>, _ value: Range<Int>, at separator: UInt8, _ take: (Range<Int>) -> Bool
  ) {
    var start = value.lowerBound
    var quoted = false
    var index = value.lowerBound
    while index < value.upperBound {
      let byte = bytes[index]
      if quoted, byte == UInt8(ascii: "\\") {
        index += 1
      } else if byte == UInt8(ascii: "\"") {
        quoted.toggle()
      } else if byte == separator, !quoted {
        guard take(trim(bytes, start..<index)) else { return }
        start = index + 1
      }
      index += 1
    }
    _ = take(trim(bytes, min(start, value.upperBound)..<value.upperBound))
  }

  /// A range without the blanks and line ends at its ends.
  package static func trim(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var lower = range.lowerBound
    var upper = range.upperBound
    while lower < upper, isSpace(bytes[lower]) { lower += 1 }
    while upper > lower, isSpace(bytes[upper - 1]) { upper -= 1 }
    return lower..<upper
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte.isBlank || byte == .carriageReturn || byte == .lineFeed
  }

  /// An unquoted copy of a token or quoted string.
  package static func unquoted(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    var index = range.lowerBound
    guard index < range.upperBound, bytes[index] == UInt8(ascii: "\"") else {
      for index in range { result.append(bytes[index]) }
      return result
    }
    index += 1
    while index < range.upperBound, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\"), index + 1 < range.upperBound { index += 1 }
      result.append(bytes[index])
      index += 1
    }
    return result
  }
}

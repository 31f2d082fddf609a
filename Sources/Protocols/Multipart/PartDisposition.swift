import HTTPSemantics

/// The value of a part's Content-Disposition, read as its sender meant it, and what a strict reader would make of it.
///
/// With an odd number of quotes nobody knows what is quoted; then the value is cut at every semicolon and the quotes are
/// taken off what remains.
package struct PartDisposition: Hashable, Sendable {
  /// In lower case.
  package private(set) var type = ""
  package private(set) var name: String?
  package private(set) var fileName: String?
  /// The number of quotes is odd.
  package private(set) var isUnbalanced = false
  /// A name or file name without quotes that is no token.
  package private(set) var hasUnquoted = false
  /// A quote, a backslash or a line end inside a quoted file name.
  package private(set) var hasRawFileName = false
  /// `filename*`
  package private(set) var hasExtendedFileName = false

  init(_ block: HeaderBlock, _ field: HeaderField) {
    let held = block.bytes
    let bytes = held.span
    let value = field.value.clamped(to: 0..<bytes.count)
    isUnbalanced = Self.quotes(bytes, value) % 2 == 1
    for (index, part) in parts(bytes, value).enumerated() {
      if index == 0 {
        type = HTTPSemantics.text(of: part.map { bytes[$0].lowercased })
      } else {
        read(bytes, part)
      }
    }
  }

  /// Quotes that no backslash stands before.
  private static func quotes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
    var count = 0
    for index in range where bytes[index] == UInt8(ascii: "\"") {
      if index == range.lowerBound || bytes[index - 1] != UInt8(ascii: "\\") { count += 1 }
    }
    return count
  }

  /// The elements between semicolons. A quoted string ends with a quote that a semicolon or the end follows, so that one
  /// inside a file name does not end it.
  private func parts(_ bytes: Span<UInt8>, _ value: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = value.lowerBound
    var isQuoted = false
    for index in value {
      if bytes[index] == UInt8(ascii: "\""), !isUnbalanced {
        let next = FieldList.trim(bytes, index + 1..<value.upperBound).lowerBound
        let isEnd = index + 1 >= value.upperBound || next >= value.upperBound || bytes[next] == UInt8(ascii: ";")
        let opens = index > value.lowerBound && bytes[index - 1] == UInt8(ascii: "=")
        if isQuoted, isEnd { isQuoted = false } else if !isQuoted, opens { isQuoted = true }
      } else if bytes[index] == UInt8(ascii: ";"), !isQuoted {
        parts.append(FieldList.trim(bytes, start..<index))
        start = index + 1
      }
    }
    parts.append(FieldList.trim(bytes, min(start, value.upperBound)..<value.upperBound))
    return parts
  }

  private mutating func read(_ bytes: Span<UInt8>, _ part: Range<Int>) {
    guard let equals = part.first(where: { bytes[$0] == UInt8(ascii: "=") }) else { return }
    let label = FieldList.trim(bytes, part.lowerBound..<equals)
    let isName = matches(bytes, label, "name")
    if matches(bytes, label, "filename*") { hasExtendedFileName = true }
    guard isName || matches(bytes, label, "filename") else { return }
    var inner = FieldList.trim(bytes, equals + 1..<part.upperBound)
    let quote = UInt8(ascii: "\"")
    let isQuoted = !inner.isEmpty && bytes[inner.lowerBound] == quote
    if isQuoted { inner = inner.lowerBound + 1..<inner.upperBound }
    if isQuoted || isUnbalanced, !inner.isEmpty, bytes[inner.upperBound - 1] == quote {
      inner = inner.lowerBound..<inner.upperBound - 1
    }
    let isToken = !inner.isEmpty && inner.allSatisfy { bytes[$0].isTokenCharacter }
    if !isQuoted, !isToken, !isUnbalanced { hasUnquoted = true }
    let text = HTTPSemantics.text(of: inner.map { bytes[$0] })
    if isName {
      name = name ?? text
    } else {
      fileName = fileName ?? text
      let isRaw = inner.contains { index in
        bytes[index] == quote || bytes[index] == UInt8(ascii: "\\") || bytes[index] == .carriageReturn
          || bytes[index] == .lineFeed
      }
      if isRaw, !isUnbalanced { hasRawFileName = true }
    }
  }
}

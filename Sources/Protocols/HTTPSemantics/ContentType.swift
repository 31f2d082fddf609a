/// A media type with its parameters, as the value of Content-Type gives it.
package struct ContentType: Hashable, Sendable {
  package struct Parameter: Hashable, Sendable {
    /// In lower case.
    package var name: String
    /// Unquoted, in the case received.
    package var value: String
  }

  /// `type/subtype` in lower case; whatever stood there when it has no such form.
  package var essence: String
  package var parameters: [Parameter]

  package init(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    let parts = FieldList.split(bytes, value, at: UInt8(ascii: ";"))
    essence = ContentType.text(bytes, parts[0]).lowercased()
    parameters = parts.dropFirst().filter { !$0.isEmpty }.map { part in
      let equals = part.first { bytes[$0] == UInt8(ascii: "=") } ?? part.upperBound
      let right = FieldList.trim(bytes, min(equals + 1, part.upperBound)..<part.upperBound)
      return Parameter(
        name: ContentType.text(bytes, FieldList.trim(bytes, part.lowerBound..<equals)).lowercased(),
        value: HTTPSemantics.text(of: FieldList.unquoted(bytes, right)))
    }
  }

  private static func text(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    HTTPSemantics.text(of: range.map { bytes[$0] })
  }

  /// Whether it has the form `token/token`.
  package var isWellFormed: Bool {
    let halves = essence.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isTokenCharacter) }
  }

  /// The value of a parameter, named in lower case.
  package subscript(name: String) -> String? {
    parameters.first { $0.name == name }?.value
  }
}

extension HeaderBlock {
  /// The media type of the first Content-Type field.
  package var contentType: ContentType? {
    let bytes = bytes
    return first("content-type").map { ContentType(bytes.span, $0.value) }
  }
}

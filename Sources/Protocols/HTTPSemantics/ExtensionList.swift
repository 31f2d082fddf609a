/// What Sec-WebSocket-Extensions lists: names with parameters (RFC 6455 §9.1).
package struct ExtensionList: Sendable {
  package struct Parameter: Sendable {
    package var name: String
    package var value: String?

    /// Of a window: 8 to 15, without a leading zero (RFC 7692 §7.1.2).
    package var windowBits: Int? {
      guard let value, value.first != "0", value.utf8.count <= 2, let bits = Int(value), (8...15).contains(bits) else {
        return nil
      }
      return bits
    }
  }

  package struct Element: Sendable {
    package var name: String
    package var parameters: [Parameter]
    package var field: HeaderField

    package var isDeflate: Bool { name.lowercased() == "permessage-deflate" }
    package func parameter(_ name: String) -> Parameter? { parameters.first { $0.name.lowercased() == name } }
  }

  package struct Fault: Sendable {
    package var field: HeaderField
    /// As the end of a sentence.
    package var what: String
  }

  package private(set) var elements: [Element] = []
  /// The first thing in it that does not parse.
  package private(set) var fault: Fault?

  /// Elements that are read; no honest offer has more.
  private static let limit = 64

  package init(_ block: HeaderBlock) {
    let held = block.bytes
    let bytes = held.span
    for field in block.all("sec-websocket-extensions") {
      for range in FieldList.elements(bytes, field.value) where !range.isEmpty {
        guard elements.count < Self.limit else { return }
        let parts = FieldList.split(bytes, range, at: UInt8(ascii: ";"))
        guard let first = parts.first else { continue }
        if !Self.isToken(bytes, first) { fail(field, "a name is not a token") }
        var element = Element(name: block.text(of: first), parameters: [], field: field)
        for part in parts.dropFirst() {
          let pair = FieldList.split(bytes, part, at: UInt8(ascii: "="))
          if !Self.isToken(bytes, pair[0]) { fail(field, "a parameter has no name") }
          guard element.parameters.count < Self.limit else { break }
          var parameter = Parameter(name: block.text(of: pair[0]), value: nil)
          if pair.count > 1 {
            let value = FieldList.unquoted(bytes, pair[1])
            if pair.count > 2 || value.isEmpty || !value.allSatisfy(\.isTokenCharacter) {
              fail(field, "a parameter value is not a token")
            }
            parameter.value = text(of: value)
          }
          element.parameters.append(parameter)
        }
        elements.append(element)
      }
    }
  }

  private mutating func fail(_ field: HeaderField, _ what: String) {
    if fault == nil { fault = Fault(field: field, what: what) }
  }

  private static func isToken(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    !range.isEmpty && range.allSatisfy { bytes[$0].isTokenCharacter }
  }
}

import Events
import HTTPSemantics

/// What no field can be.
enum FieldInvalid: HeadRule {
  static let info = RuleInfo(
    id: "h2/field-invalid", severity: .error,
    summary: "A field has a name or a value that cannot be.",
    explanation: """
      A name that is no token, or a value with line ends in it, becomes something else behind a proxy that writes \
      HTTP/1: a second field, or a second request. A message with one is malformed.
      """,
    evidence: "The field.",
    fix: "Sender: refuse what a field cannot hold. Proxy: reset the stream.",
    specifications: [.fields2], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    let bytes = section.block.bytes
    for field in section.block.fields where !section.isUnknown(field) {
      let name = bytes[field.name].first == .colon ? bytes[field.name].dropFirst() : bytes[field.name]
      if name.isEmpty || !name.allSatisfy(\.isTokenCharacter) {
        return HeadFlaw(field, "a field has a name that is no token")
      }
      let value = bytes[field.value]
      if value.contains(where: { $0 == 0 || $0 == .carriageReturn || $0 == .lineFeed }) {
        return HeadFlaw(field, "the value of \(section.name(field)) holds a line end or a zero")
      }
      if value.first?.isBlank == true || value.last?.isBlank == true {
        return HeadFlaw(field, "the value of \(section.name(field)) begins or ends with a blank")
      }
    }
    return nil
  }
}

import Events
import HTTPSemantics

/// Names as HTTP/1 writes them.
enum FieldNameUppercase: HeadRule {
  static let info = RuleInfo(
    id: "h2/field-name-uppercase", severity: .error,
    summary: "A field has a capital letter in its name.",
    explanation: """
      Names are lower case in HTTP/2, and a message with another one is malformed: strict receivers reset its \
      stream, others take the field for an unknown one. Mostly names of HTTP/1 were passed through.
      """,
    evidence: "The field.",
    fix: "Sender: write names in lower case.",
    specifications: [.fields2], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    for field in section.block.fields where section.block.bytes[field.name].contains(where: { 0x41...0x5A ~= $0 }) {
      return HeadFlaw(field, "a field is called \(section.name(field))")
    }
    return nil
  }
}

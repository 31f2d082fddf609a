import Events
import HTTPSemantics

/// A start line that comes late.
enum PseudoAfterField: HeadRule {
  static let info = RuleInfo(
    id: "h2/pseudo-after-field", severity: .error,
    summary: "A pseudo-header field stands behind another field.",
    explanation: "They come first. The message is malformed.",
    evidence: "The field.",
    fix: "Sender: write the pseudo-header fields first.",
    specifications: [.pseudoFields], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    guard !section.isTrailer else { return nil }
    var hasOther = false
    for field in section.block.fields {
      if !section.block.isPseudo(field) {
        hasOther = hasOther || !section.isUnknown(field)
      } else if hasOther {
        return HeadFlaw(field, "\(section.name(field)) stands behind other fields")
      }
    }
    return nil
  }
}

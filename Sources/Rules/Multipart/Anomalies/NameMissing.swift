import Events
import HTTPSemantics

/// A part of a form without a name.
enum NameMissing: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/name-missing", severity: .error,
    summary: "A part of a form has no name.",
    explanation: """
      Each part of form-data must say which field of the form it is. Frameworks look fields up by name: a part without \
      one is dropped silently, or the whole request is refused.
      """,
    evidence: "The Content-Disposition without name. \(MultipartTexts.headerEvidence)",
    fix: "Client: give each part Content-Disposition: form-data; name=\"…\".",
    specifications: [.formDisposition], causedBy: ["multipart/quote-unbalanced"], since: "0.1")

  static let row = MultipartAnomalyRow(
    .nameMissing, "Content-Disposition has no name parameter")
}

import Events
import HTTPSemantics

/// Content-Transfer-Encoding in a form.
enum CTEDeprecated: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/cte-deprecated", severity: .warning,
    summary: "A part of a form has Content-Transfer-Encoding, which receivers ignore.",
    explanation: """
      HTTP carries bytes as they are, and the field is deprecated in form-data. Most servers do not look at it: data in \
      base64 or quoted-printable are stored as they came, encoded. The values binary, 8bit and 7bit change nothing.
      """,
    evidence: "The field. \(MultipartTexts.headerEvidence)",
    fix: "Client: send the bytes as they are, and leave the field out.",
    specifications: [.formTransferEncoding], since: "0.1")

  static let row = MultipartAnomalyRow(
    .transferEncoding, "a part has Content-Transfer-Encoding, which is deprecated in forms", answers: [])
}

import Events
import HTTPSemantics

/// A file without Content-Type.
enum FileWithoutType: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/file-without-type", severity: .note,
    summary: "A file in a form has no Content-Type.",
    explanation: """
      Without it a part counts as text/plain. Servers that check the type of uploads refuse the file, and some treat the \
      part as a text field and convert its characters.
      """,
    evidence: "The Content-Disposition of the file. \(MultipartTexts.headerEvidence)",
    fix: "Client: send Content-Type with each file; application/octet-stream where nothing is known.",
    specifications: [.formPartType], since: "0.1")

  static let row = MultipartAnomalyRow(
    .fileWithoutType, "a part has a file name and no Content-Type", answers: [415, 422])
}

import Events
import HTTPSemantics

/// A name without the quotes that it needs.
enum ParamUnquoted: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/param-unquoted", severity: .warning,
    summary: "A name or file name is not quoted although it is no token.",
    explanation: """
      Without quotes a parameter ends at the first space, semicolon or other separator. The file is stored under the \
      first word of its name, or the line is refused. Plain words without quotes are legal and common.
      """,
    evidence: "The line with the parameter. \(MultipartTexts.headerEvidence)",
    fix: "Client: quote names and file names always.", specifications: [.formDisposition], since: "0.1")

  static let row = MultipartAnomalyRow(
    .parameterUnquoted, "a name or file name without quotes has bytes that end or break it")
}

import Events
import HTTPSemantics

/// A delimiter that is the bare boundary.
enum DelimiterDashesMissing: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/delimiter-dashes-missing", severity: .error,
    summary: "A delimiter of a multipart body lacks the two dashes before the boundary.",
    explanation: """
      Content-Type names the boundary; in the body each delimiter is that boundary with two dashes before it, and the \
      last one has two more behind it. Code that writes the bare boundary sends a body without any part: parsers skip \
      to the first delimiter, find none or only the last, and report a missing boundary or an unexpected end of the form.
      """,
    evidence: """
      A line that is exactly the boundary. A boundary that begins with dashes of its own, as browsers make them, still \
      has two more in front. \(MultipartTexts.delimiterEvidence)
      """,
    fix: "Client: write \"--\" before the boundary of each part, and \"--\" before and behind the last one.",
    specifications: [.multipartBoundary, .formBoundary], since: "0.1")

  static let row = MultipartAnomalyRow(
    .dashesMissing, "a delimiter is the bare boundary, without the two dashes before it")
}

import Events
import HTTPSemantics

/// A delimiter behind data on its line.
enum DelimiterNotAtLineStart: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/delimiter-not-at-line-start", severity: .error,
    summary: "A delimiter of a multipart body does not begin a line.",
    explanation: """
      The line end before a delimiter belongs to the delimiter. Without it the dashes and the boundary are data like \
      all others: a strict parser does not see the delimiter, so the part swallows it with everything behind it, and the \
      form loses the next field or never ends.
      """,
    evidence: """
      The delimiter, which follows data on its line. Only a boundary of eight bytes and more is looked for inside lines: a \
      shorter one may stand there by chance. \(MultipartTexts.delimiterEvidence)
      """,
    fix: "Client: write CRLF after the data of each part, before the next delimiter.",
    specifications: [.multipartBoundary], since: "0.1")

  static let row = MultipartAnomalyRow(
    .delimiterInLine, "a delimiter does not begin a line, so it is data to a strict reader")
}

import Events
import HTTPSemantics

/// A quote that is not closed in Content-Disposition.
enum QuoteUnbalanced: MultipartAnomalyRule {
  static let info = RuleInfo(
    id: "multipart/quote-unbalanced", severity: .error,
    summary: "A quote is missing in the Content-Disposition of a part.",
    explanation: """
      With one quote too few, the field's name reaches to the next quote and swallows what stands between: the name \
      becomes something like file; filename=, and the file name is gone. A form without the expected field is answered \
      with a validation error at best, and the log shows a name that the client did not write.
      """,
    evidence: """
      The line, with an odd number of quotes that no backslash stands before. \(MultipartTexts.headerEvidence)
      """,
    fix: "Client: close the quote, name=\"…\"; filename=\"…\"; better, let a library build the form.",
    specifications: [.formDisposition], since: "0.1")

  static let row = MultipartAnomalyRow(
    .quoteUnbalanced, "Content-Disposition has an odd number of quotes, so the name may swallow the file name")
}

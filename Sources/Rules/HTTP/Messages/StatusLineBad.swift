import Events
import HTTPSemantics

/// A status line that is none.
enum StatusLineBad: AnomalyRule {
  static let info = RuleInfo(
    id: "http/status-line-bad", severity: .error,
    summary: "The status line is malformed.",
    explanation: """
      The status is three digits from 100 to 599, with one space before it and one behind, even where no reason \
      follows. Many clients read on with less; strict ones end the exchange with a parse error, and the response that was there is never seen.
      """,
    evidence: "The status line. A reason of several words, or in another language, is legal.",
    fix: "Server: write three digits and a space behind them, as in \"HTTP/1.1 200 \".",
    specifications: [
      Specification("RFC 9112 §4", "https://www.rfc-editor.org/rfc/rfc9112#section-4"),
      Specification("RFC 9110 §15", "https://www.rfc-editor.org/rfc/rfc9110#section-15"),
    ], since: "0.1")

  static let row = AnomalyRow(
    [.statusMalformed, .statusUnusual, .reasonSeparatorMissing, .startLineSpacing, .startLineLeadingSpace],
    in: [.startLine],
    "the status line is not a version, three digits from 100 to 599 and a reason, with one space between them",
    isOfResponses: true)
}

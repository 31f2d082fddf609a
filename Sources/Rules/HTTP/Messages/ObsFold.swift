import Events
import HTTPSemantics

/// A field that is folded over several lines.
enum ObsFold: AnomalyRule {
  static let info = RuleInfo(
    id: "http/obs-fold", severity: .error,
    summary: "A field value is folded over several lines.",
    explanation: """
      A line that begins with whitespace continues the one before it. HTTP gave this up in 2014: a server has to \
      answer 400 or replace it by spaces, and peers that do neither see one field less, or one more. It comes from \
      mail libraries that fold long lines at 76 characters, and from attacks.
      """,
    evidence: "The continued line. In the type message/http folding is allowed, and not looked at.",
    fix: "Sender: write the value in one line; switch line folding off in the library that formats it.",
    specifications: [
      Specification("RFC 9112 §5.2", "https://www.rfc-editor.org/rfc/rfc9112#section-5.2")
    ], since: "0.1")

  static let row = AnomalyRow(
    [.foldedLine], in: [.fields, .trailers], "a field goes on in the next line", fitting: [400])
}

import Events
import HTTPSemantics

/// Control characters in a field value.
enum ValueCTL: AnomalyRule {
  static let info = RuleInfo(
    id: "http/value-ctl", severity: .error,
    summary: "A field value has control characters in it.",
    explanation: """
      Only the tab is allowed. A recipient has to refuse NUL or replace it; libraries in C end the string there, so \
      that a filter and the server behind it read different values. Others answer 400, or break the connection off.
      """,
    evidence: "The first such line. CR without LF is http/bare-cr.",
    fix: "Sender: encode binary values, or remove what is no text before it becomes a field.",
    specifications: [
      Specification("RFC 9110 §5.5", "https://www.rfc-editor.org/rfc/rfc9110#section-5.5")
    ], since: "0.1")

  static let row = AnomalyRow(
    [.valueNUL, .valueControl], in: [.fields, .trailers], "a field value has a control character in it", fitting: [400])
}

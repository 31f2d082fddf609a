import Events
import HTTPSemantics

/// Whitespace between a name and its colon.
enum SpaceBeforeColon: AnomalyRule {
  static let info = RuleInfo(
    id: "http/space-before-colon", severity: .error,
    summary: "Whitespace stands between a field name and its colon.",
    explanation: """
      A server has to answer such a request with 400, and a proxy has to remove the whitespace from a response, \
      because peers disagree on what the name is: with it the field is unknown, without it it may be \
      Transfer-Encoding. Several smuggling attacks used no more than this.
      """,
    evidence: "The first such line, and how many there are.",
    fix: "Sender: write the colon right behind the name.",
    specifications: [
      Specification("RFC 9112 §5.1", "https://www.rfc-editor.org/rfc/rfc9112#section-5.1"), .smuggling,
    ], since: "0.1")

  static let row = AnomalyRow(
    [.spaceBeforeColon], in: [.fields, .trailers], "whitespace stands before the colon of a field", fitting: [400])
}

import Events
import HTTPSemantics

/// A CR without LF inside a head.
enum HTTPBareCR: AnomalyRule {
  static let info = RuleInfo(
    id: "http/bare-cr", severity: .error,
    summary: "A CR without LF stands inside a head.",
    explanation: """
      A CR that no LF follows is no line end. A recipient has to refuse it or replace it by a space; some take it for \
      a line end all the same, and then see a field that the others do not see. In values that come from users it is a \
      sign of header injection.
      """,
    evidence: "The line with the CR, and how many there are. In chunk framing this is chunked/bare-cr.",
    fix: """
      Sender: keep CR out of field values, and validate what comes from users before it gets there. Receiver: refuse \
      such a message.
      """,
    specifications: [.lineEnds, .smuggling], since: "0.1")

  static let row = AnomalyRow(
    [.bareCR], in: [.startLine, .fields], "a CR stands in the head without an LF behind it", fitting: [400])
}

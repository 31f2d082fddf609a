import Citation
import Events
import WebSocketSemantics

/// An answer with another code.
enum CloseCodeNotEchoed: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-code-not-echoed", severity: .note, summary: "A Close was answered with another code.",
    explanation: """
      The answer usually repeats the code it answers. APIs show the code they received: the two sides then know different \
      reasons.
      """,
    evidence: "Both Closes.", fix: "Receiver: answer with the same code.", specifications: [.webSocket("5.5.1")],
    since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = SentClose(direction, of: socket), let code = close.code, let answered = close.answered,
      let asked = answered.closeCode, asked != code
    else { return }
    report(
      close.finding(
        info, "answered Close \(asked) with \(code)",
        [.frame(answered, direction.opposite, "the Close it answers")], in: context))
  }
}

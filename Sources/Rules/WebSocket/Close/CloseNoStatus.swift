import Citation
import Events
import WebSocketSemantics

/// A Close that does not say why.
enum CloseNoStatus: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-no-status", severity: .note, summary: "A Close has no code.",
    explanation: "It is legal; the other side's API shows 1005. Why it was closed is not known.",
    evidence: "The Close.", fix: "Sender: close with 1000, or the code that fits.",
    specifications: [.webSocket("7.1.5")],
    since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = SentClose(direction, of: socket), close.code == nil, close.frame.length == 0,
      close.frame.isComplete, close.answered == nil
    else { return }
    report(close.finding(info, "closed without a code", in: context))
  }
}

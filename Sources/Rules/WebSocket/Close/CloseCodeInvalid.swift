import Citation
import Events

/// A code that means nothing.
enum CloseCodeInvalid: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-code-invalid", severity: .error, summary: "A Close has a code that does not exist.",
    explanation: """
      1000 to 1003 and 1007 to 1014 are defined, 3000 to 4999 free for use; all others are a protocol error, and browsers \
      drop the connection over them.
      """,
    evidence: "The Close. One that only repeats the other side's code is a note.",
    fix: "Sender: use 1000, or 3000 to 4999 for codes of your own.", specifications: [.webSocket("7.4.2")], since: "0.1"
  )

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = SentClose(direction, of: socket), let code = close.code else { return }
    switch code {
    case 0..<1000, 1004, 1016..<3000, 5000...: break
    default: return
    }
    report(
      close.finding(
        info, "closed with code \(code), which does not exist\(close.echo)", severity: close.isEcho ? .note : nil,
        in: context))
  }
}

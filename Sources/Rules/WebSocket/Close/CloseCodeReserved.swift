import Citation
import Events

/// A code that APIs show and that is never sent.
enum CloseCodeReserved: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-code-reserved", severity: .error, summary: "A Close has a code that must not be sent.",
    explanation: """
      1005, 1006 and 1015 are what APIs show where no code came. On the wire they are a protocol error; programs that pass \
      the code of one connection on to another do this.
      """,
    evidence: "The Close.", fix: "Sender: send 1000, 1001 or 1011 instead, or a Close without code for 1005.",
    specifications: [.webSocket("7.4.1")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = SentClose(direction, of: socket), let code = close.code, [1005, 1006, 1015].contains(code) else {
      return
    }
    report(
      close.finding(
        info, "closed with code \(code), which must not be sent\(close.echo)", severity: close.isEcho ? .note : nil,
        in: context))
  }
}

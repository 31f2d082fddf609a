import Events

/// An orderly end of TCP, and none of the WebSocket.
enum CloseMissingFIN: SocketRule {
  static let info = RuleInfo(
    id: "ws/close-missing-fin", severity: .warning, summary: "A WebSocket ended with a FIN and no Close.",
    explanation: MissingClose.explanation,
    evidence: """
      The last frame before it, and the FIN. Clients that just leave, as browsers do, cost nothing, and are lint; so is a \
      server that ends TCP upon a client's DISCONNECT of MQTT, which is known by its length.
      """,
    fix: MissingClose.fix, specifications: [.webSocket("7.1.5"), .webSocket("7.1.7")], causedBy: MissingClose.causes,
    since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    guard let missing = MissingClose(socket, in: context), !missing.end.isReset else { return }
    report(missing.finding(info, in: context))
  }
}

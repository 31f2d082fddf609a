import Events

/// A reset in place of a Close.
enum CloseMissingRST: SocketRule {
  static let info = RuleInfo(
    id: "ws/close-missing-rst", severity: .warning, summary: "A WebSocket ended with a RST and no Close.",
    explanation: MissingClose.explanation,
    evidence: """
      The last frame before it, and the RST. Clients that just leave, as browsers do, cost nothing, and are lint.
      """,
    fix: MissingClose.fix, specifications: [.webSocket("7.1.5"), .webSocket("7.1.7")], causedBy: MissingClose.causes,
    since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    guard !socket.story.isStream, let missing = MissingClose(socket, in: context), missing.end.isReset else { return }
    report(missing.finding(info, in: context))
  }
}

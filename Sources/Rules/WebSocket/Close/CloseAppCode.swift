import Citation
import Events

/// A code of the application's own.
enum CloseAppCode: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-app-code", severity: .note, summary: "A connection was closed with a code of the application.",
    explanation: """
      3000 to 4999 are free for libraries and applications; what they mean stands in their documentation. The protocols for \
      GraphQL use 4400 to 4429, all for sessions that failed.
      """,
    evidence: "The Close, and its reason, which is payload.",
    fix: "Look the code up in the application's documentation.",
    specifications: [.webSocket("7.4.2")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = SentClose(direction, of: socket), let code = close.code, close.answered == nil,
      (3000..<5000).contains(code)
    else { return }
    let isError = close.isGraphQLError(code)
    report(
      close.finding(
        info, "closed with \(close.title(code)), a code of the application", severity: isError ? .warning : nil,
        cost: isError ? .failed(.connection) : .none, in: context))
  }
}

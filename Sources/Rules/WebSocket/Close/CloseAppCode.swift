import Citation
import Events

/// A code of the application's own.
enum CloseAppCode: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-app-code", severity: .note, summary: "A connection was closed with a code of the application.",
    explanation: """
      3000 to 4999 are free for libraries and applications; what they mean stands in their documentation. The protocols for \
      GraphQL use 4400 to 4429, all for sessions that failed; other applications, too, put 4 before the status that HTTP would \
      have: 4401 to who is not signed in, 4403 to who may not.
      """,
    evidence: """
      The Close, and its reason, which is payload. A server that says 44… within a second of the opening has refused the \
      session: that is a warning.
      """,
    fix: "Look the code up in the application's documentation.",
    specifications: [.webSocket("7.4.2")], thresholds: [.refusedAfter], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = SentClose(direction, of: socket), let code = close.code, close.answered == nil,
      (3000..<5000).contains(code)
    else { return }
    let after = socket.record.opening.released.map { close.frame.released.time.since($0.time) }
    let isRefusal =
      direction != socket.story.client && 4400..<4500 ~= code
      && after.map { $0 <= context.thresholds[.refusedAfter] } ?? false
    let isGraphQL = close.isGraphQLError(code)
    let when = isRefusal ? after.map { ", \(Wording.duration($0)) after the opening" } ?? "" : ""
    let isError = isGraphQL || isRefusal
    var finding = close.finding(
      info, "closed with \(close.title(code)), a code of the application\(when)", severity: isError ? .warning : nil,
      cost: isError ? .failed(.connection) : .none, in: context)
    if isGraphQL, let fix = fixes[code] { finding.fix = fix }
    report(finding)
  }

  /// Of the protocols for GraphQL.
  private static let fixes: [UInt16: String] = [
    4400: "Client: it sent a message that the protocol does not have; see that both sides speak the same one.",
    4401: "Client: wait for connection_ack before the first subscription.",
    4403: "Client: send what the server expects in connection_init (a token). Server: see what refused it.",
    4406: "Client: offer the subprotocol that the server speaks (graphql-transport-ws, or the older graphql-ws).",
    4408: """
    Client: send connection_init as soon as the connection is open. Server: allow more time (connectionInitWaitTimeout, \
    connection_init_wait_timeout).
    """,
    4409: "Client: give each subscription an id of its own.",
    4429: "Client: send connection_init once.",
  ]
}

extension Threshold {
  static let refusedAfter = Threshold(
    "ws.refused-after", .nanoseconds, 1_000_000_000,
    "a server that closes with 44… this soon after the opening refused it")
}

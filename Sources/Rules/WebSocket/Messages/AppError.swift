import Citation
import Events

/// A server that refused what its client asked, inside the WebSocket.
enum AppError: SocketRule {
  static let info = RuleInfo(
    id: "ws/app-error", severity: .warning,
    summary: "The server answered with an error of the protocol inside the WebSocket.",
    explanation: """
      The connection itself is well, and so is its end, often with 1000: what failed stands in a message. STOMP sends ERROR, \
      WAMP ABORT, GraphQL a message of the type error, a Phoenix channel a reply with the status error, Socket.IO the packet \
      44, MQTT a CONNACK with a code. Clients that look only at Close codes see a session that ends, or that gives nothing.
      """,
    evidence: """
      The first such message, and how many there are among the first \(WebSocketMessage.openings) of the server. The protocol \
      is known from the subprotocol that was agreed, from the path, or from how the first messages begin. What the message \
      says is payload.
      """,
    fix: "Read the message (streamscope messages): it says what was refused: a token, a destination, a query.",
    specifications: [.webSocket("1.9")], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    guard let refusal = socket.record.refusal else { return }
    let server = socket.record.opening.client.opposite
    let often = refusal.count > 1 ? ", \(refusal.count) times" : ""
    report(
      socket.story.finding(
        info, server, "The server sent \(refusal.words)\(often).", cost: .failed(.exchange),
        [Evidence(.packet(refusal.packet, server), refusal.count > 1 ? "the first of them" : "the error")],
        count: refusal.count, in: context))
  }
}

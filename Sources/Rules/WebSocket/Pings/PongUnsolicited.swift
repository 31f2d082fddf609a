import Citation
import Events
import WebSocketSemantics

/// A pong without a ping.
enum PongUnsolicited: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/pong-unsolicited", severity: .note, summary: "A pong came without a ping.",
    explanation: "It is allowed as a heartbeat in one direction, and is not answered.",
    evidence: "The first such pong.", fix: "No action needed.", specifications: [.webSocket("5.5.3")],
    since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let found = socket.pings.sides[direction].unsolicited else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.count(found.count, "pong")) without a ping.",
        [.frame(found.pong, direction, "no ping was open")], count: found.count, in: context))
  }
}

import Citation
import Events
import WebSocketSemantics

/// A pong that nobody asked for.
enum PongUnsolicited: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/pong-unsolicited", severity: .note, summary: "A pong came without a ping.",
    explanation: "It is allowed as a heartbeat in one direction, and is not answered.",
    evidence: "The first such pong.", fix: "Nobody has to do anything.", specifications: [.webSocket("5.5.3")],
    since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let found = socket.pings.sides[direction].unsolicited else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.count(found.count, "pong")) that no ping asked for.",
        [.frame(found.pong, direction, "no ping was open")], count: found.count, in: context))
  }
}

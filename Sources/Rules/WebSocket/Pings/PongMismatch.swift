import Citation
import Events
import WebSocketSemantics

/// A pong that answers nothing.
enum PongMismatch: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/pong-mismatch", severity: .error, summary: "A pong's payload matches no ping.",
    explanation: """
      A pong repeats the payload of the ping it answers. One with other bytes answers nothing, and strict senders take their \
      ping for lost.
      """,
    evidence: "The ping that waits, and the pong. Their payloads are compared, and not shown.",
    fix: "Receiver: copy the ping's payload into the pong.", specifications: [.webSocket("5.5.3")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let found = socket.pings.sides[direction].mismatch else { return }
    report(
      socket.story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent a pong with another payload than the ping that waits for one.",
        [
          .frame(found.ping, direction.opposite, "the ping that waits"),
          .frame(found.pong, direction, "the pong, with other bytes"),
        ], count: found.count, in: context))
  }
}

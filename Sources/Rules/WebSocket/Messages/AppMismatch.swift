import Citation
import Events
import HTTPSemantics

/// A subprotocol was agreed, and something else is spoken.
enum AppMismatch: SocketRule {
  static let info = RuleInfo(
    id: "ws/app-mismatch", severity: .warning, confidence: .medium,
    summary: "The messages are not those of the subprotocol that was agreed.",
    explanation: """
      Sec-WebSocket-Protocol names what both sides are going to speak, and each picks its decoder by it. Where the first \
      messages are of another protocol, one side asks for a name it does not mean, or the server takes any name it is offered.
      """,
    evidence: "The 101 with the subprotocol, and the first message that is something else.",
    fix: "Client: offer the subprotocol you speak. Server: choose only one that you implement.",
    specifications: [.webSocket("1.9"), .webSocket("4.2.2")], since: "0.1")

  static func judge(_ socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void) {
    let opening = socket.record.opening
    guard let other = socket.record.otherApplication, let agreed = opening.subprotocol, let response = opening.response
    else { return }
    report(
      socket.story.finding(
        info, other.direction,
        "\(HeaderBlock.shown(agreed)) was agreed, and \(Wording.sender(other.direction)) speaks \(other.name).",
        [
          Evidence(.packet(response, opening.client.opposite), "the subprotocol that was agreed"),
          Evidence(.packet(other.packet, other.direction), "the first message of \(other.name)"),
        ], in: context))
  }
}

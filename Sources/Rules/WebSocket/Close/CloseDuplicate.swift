import Citation
import Events
import WebSocketSemantics

/// A second Close.
enum CloseDuplicate: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-duplicate", severity: .error, summary: "A side sent a second Close.",
    explanation:
      "Close is the last frame that a side sends. A second one has no meaning, and receivers ignore it or reset.",
    evidence: "The first Close, and the second.", fix: "Sender: send one Close, and remember that it was sent.",
    specifications: [.webSocket("5.5.1")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let close = socket.story.close(of: direction), let frame = socket.order.second[direction] else { return }
    report(
      socket.story.finding(
        info, direction, "\(Wording.sender(direction).atSentenceStart) sent a second Close.",
        [.frame(close, direction, "the first Close"), .frame(frame, direction, "the second one")], in: context))
  }
}

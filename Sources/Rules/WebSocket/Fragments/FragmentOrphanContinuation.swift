import Citation
import Events
import WebSocketSemantics

/// A continuation of nothing.
enum FragmentOrphanContinuation: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/fragment-orphan-continuation", severity: .error,
    summary: "A continuation frame continues nothing.",
    explanation: """
      A message begins with a text or binary frame; a continuation without one cannot be read. A receiver has to end \
      the connection with Close 1002. A sender that loses track of whether it is inside a message, or two that write \
      at once, do this.
      """,
    evidence: "The first such frame.", fix: "Sender: begin each message with its opcode.",
    specifications: [.webSocket("5.4")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    guard let found = socket.fragments?.sides[direction].orphan, let frame = found.frames.first else { return }
    let death = story.death(after: frame.span.first, of: direction, in: context)
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent a continuation frame, and no message is open.",
        cost: death == nil ? .none : .failed(.connection),
        [.frame(frame, direction, "continues nothing")] + [death].compactMap { $0 }, count: found.count, in: context))
  }
}

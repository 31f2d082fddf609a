import Citation
import Events
import WebSocketSemantics

/// A message inside of another.
enum FragmentInterleaved: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/fragment-interleaved", severity: .error,
    summary: "A new message begins inside another one.",
    explanation: """
      The fragments of one message must not be mixed with those of another: only control frames may stand between. A \
      receiver has to end the connection with Close 1002. Two writers on one connection without a lock do this.
      """,
    evidence: "The message that is open, and the frame that begins another.",
    fix: "Sender: finish a message before the next one; one writer for each connection.",
    specifications: [.webSocket("5.4")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    guard let found = socket.fragments?.sides[direction].interleaved, let frame = found.frames.last else { return }
    let death = story.death(after: frame.span.first, of: direction, in: context)
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) began a \(frame.name) message inside another one.",
        cost: death == nil ? .none : .failed(.connection),
        [.frame(found.frames[0], direction, "this message is open"), .frame(frame, direction, "another one begins")]
          + [death].compactMap { $0 }, count: found.count, in: context))
  }
}

import Citation
import Events

/// A reset when everything was sent.
enum CloseRSTAfter: SocketSideRule {
  static let info = RuleInfo(
    id: "ws/close-rst-after", severity: .note, summary: "TCP was reset after both Closes.",
    explanation:
      "Everything was sent, and nothing is lost: one side ended TCP without reading what the other still sent.",
    evidence: "The reset.", fix: "No action needed.", specifications: [.webSocket("7.1.1")], since: "0.1")

  static func judge(
    _ direction: Direction, of socket: ClosedSocket, in context: FlowContext, report: (Finding) -> Void
  ) {
    let story = socket.story
    guard !story.isStream, let reset = story.sides[direction].reset, let both = BothCloses(story),
      reset.number > both.second.released.number
    else { return }
    report(
      story.finding(
        info, direction, "\(Wording.sender(direction).atSentenceStart) reset TCP after both Closes.",
        [Evidence(.packet(reset, direction), "RST")], in: context))
  }
}

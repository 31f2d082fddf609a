import Citation
import Events

/// Credit by the spoon.
enum WindowUpdatesTiny: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/window-updates-tiny", severity: .note,
    summary: "A receiver gives credit in many very small WINDOW_UPDATE frames.",
    explanation: "Each of them is a frame, mostly a packet, and a wakeup of the sender.",
    evidence: "The first and the last of them.",
    fix: "Receiver: add credit up, and send it when half of the window is used.",
    specifications: [.windowUpdates], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = story.record else { return }
    for receiver in Direction.allCases {
      let side = record.sides[receiver]
      guard let run = side.updates, run.count >= 50, run.count > record.sides[receiver.opposite].dataFrames,
        side.credited / run.count < 1_024
      else { continue }
      var finding = Finding(
        info, subject: .connection(context.id), direction: receiver,
        "\(Wording.sender(receiver).atSentenceStart) sent \(run.count) WINDOW_UPDATE frames of \(Wording.bytes(side.credited / run.count)) on average.",
        cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(run.first, receiver), "the first"), Evidence(.packet(run.last, receiver), "the last"),
        ])
      finding.count = run.count
      report(finding)
    }
  }
}

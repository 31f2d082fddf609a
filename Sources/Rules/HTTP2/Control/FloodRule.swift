import Citation
import Events

/// Judges how many frames of a kind a side sent within a second.
protocol FloodRule: ControlStoryRule {
  /// From this many on it is a flood.
  static var least: Int { get }
  /// What they are, as the end of a sentence.
  static var frames: String { get }
  static func run(_ story: ControlStory, of sender: Direction) -> ControlStory.Run
}

extension FloodRule {
  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    for sender in Direction.allCases {
      let run = run(story, of: sender)
      guard run.most >= least, let first = run.first, let last = run.last else { continue }
      report(
        Finding(
          info, subject: .connection(context.id), direction: sender,
          "\(Wording.sender(sender).atSentenceStart) sent \(run.most) \(frames) within a second.", cost: .none,
          fix: info.fix, evidence: [first.evidence, last.evidence]))
    }
  }
}

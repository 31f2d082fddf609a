import Citation
import Events
import HTTP2Semantics

/// A flood.
enum SettingsFlood: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/settings-flood", severity: .warning,
    summary: "A side sent very many SETTINGS within a second.",
    explanation: """
      Each of them costs the other side work. It is an attack (CVE-2019-9515), or a client in a loop.
      """,
    evidence: "The first and the last.",
    fix: "Receiver: count them, and close the connection beyond a limit.",
    specifications: [.dosConsiderations], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      let run = story.settingsRun[direction]
      guard run.most >= 10, let first = run.first, let last = run.last else { continue }
      report(
        Finding(
          info, subject: .connection(context.id), direction: direction,
          "\(Wording.sender(direction)) sent \(run.most) SETTINGS within a second.", cost: .none, fix: info.fix,
          evidence: [first.evidence, last.evidence]))
    }
  }
}

import Citation
import Events
import HTTP2Semantics

/// A flood.
enum ResetFlood: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/reset-flood", severity: .error,
    summary: "A side sent very many RST_STREAM within a second.",
    explanation: """
      Each of them costs the other side work. It is an attack (CVE-2023-44487 and CVE-2025-8671), or a client in a \
      loop.
      """,
    evidence: "The first and the last.",
    fix: "Receiver: count them, and close the connection beyond a limit.",
    specifications: [.dosConsiderations], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      let run = story.resetRun[direction]
      guard run.most >= 100, let first = run.first, let last = run.last else { continue }
      report(
        Finding(
          info, subject: .connection(context.id), direction: direction,
          "\(Wording.sender(direction)) sent \(run.most) resets within a second.", cost: .none, fix: info.fix,
          evidence: [first.evidence, last.evidence]))
    }
  }
}

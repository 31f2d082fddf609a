import Citation
import Events
import HTTP2Semantics

/// A flood.
enum HTTP2PingFlood: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/ping-flood", severity: .warning,
    summary: "A side sent very many PINGs within a second.",
    explanation: "Each asks for an answer. It is an attack (CVE-2019-9512), or a client in a loop.",
    evidence: "The first and the last.",
    fix: "Receiver: count them, and close the connection beyond a limit.",
    specifications: [.dosConsiderations], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      let run = story.pingRun[direction]
      guard run.most >= 20, let first = run.first, let last = run.last else { continue }
      report(
        Finding(
          info, subject: .connection(context.id), direction: direction,
          "\(Wording.sender(direction).atSentenceStart) sent \(run.most) PINGs within a second.", cost: .none,
          fix: info.fix,
          evidence: [first.evidence, last.evidence]))
    }
  }
}

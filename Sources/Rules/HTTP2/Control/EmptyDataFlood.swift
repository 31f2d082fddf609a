import Citation
import Events

/// Frames of nothing.
enum EmptyDataFlood: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/empty-data-flood", severity: .warning,
    summary: "A side sent very many DATA frames without a byte.",
    explanation: "They need no credit and cost the other side work. It is an attack (CVE-2019-9518), or a loop.",
    evidence: "The first and the last.",
    fix: "Receiver: count them, and close the connection beyond a limit. Sender: write nothing where there is nothing.",
    specifications: [.dosConsiderations], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = story.record else { return }
    for direction in Direction.allCases {
      guard let run = record.sides[direction].emptyData, run.count >= 100 else { continue }
      var finding = Finding(
        info, subject: .connection(context.id), direction: direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(run.count) DATA frames without a byte.", cost: .none,
        fix: info.fix,
        evidence: [
          Evidence(.packet(run.first, direction), "the first"), Evidence(.packet(run.last, direction), "the last"),
        ])
      finding.count = run.count
      report(finding)
    }
  }
}

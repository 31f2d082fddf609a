import Citation
import Events

/// A connection that one stream holds up.
enum ConnectionWindowStall: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/connection-window-stall", severity: .warning,
    summary: "All streams stalled because the receiver gave the connection no credit.",
    explanation: """
      The streams of a connection share one window. Where a receiver gives its credit only when applications read, one \
      stream that is not read stops all others.
      """,
    evidence: "The DATA that used the credit up, the WINDOW_UPDATE that ended the wait, and the DATA behind it.",
    fix: """
      Receiver: give the connection credit when data arrives, and streams when it is read. Make its window as large as \
      the windows of the streams in use together, and do not forget the bytes of cancelled streams.
      """,
    specifications: [.flowControl, .windows], thresholds: [.creditStall, .creditStallError, .promptAfterCredit],
    causedBy: ["h2/connection-window-leak"], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = story.record else { return }
    for sender in Direction.allCases {
      guard let waits = CreditWaits(record.credit[sender], in: context) else { continue }
      let worst = waits.worst
      let holder = worst.holder.map { "; most of it was missing for stream \($0)" } ?? ""
      var finding = Finding(
        info, severity: waits.severity(in: context), subject: .connection(context.id), direction: sender.opposite,
        "\(Wording.sender(sender).atSentenceStart) had no credit for the connection \(waits.words), while \(Wording.count(worst.waiting, "stream")) waited\(holder).",
        cost: waits.isEndless ? .failed(.connection) : waits.cost, fix: info.fix,
        evidence: waits.evidence(sender, "connection"))
      finding.count = UInt64(waits.stalls.count)
      report(finding)
    }
  }
}

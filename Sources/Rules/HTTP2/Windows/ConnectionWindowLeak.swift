import Citation
import Events

/// Credit that is forgotten.
enum ConnectionWindowLeak: ControlStoryRule {
  static let info = RuleInfo(
    id: "h2/connection-window-leak", severity: .warning,
    summary: "Credit of the connection did not come back although all streams were over.",
    explanation: """
      Data of streams that were cancelled and padding count against the connection's window, too. A receiver that gives \
      no credit for them makes the window smaller with each, until the connection stands still.
      """,
    evidence: "The last DATA. The window stayed small behind it. Credit at half of the window is usual and no leak.",
    fix: "Receiver: give the connection credit for every DATA frame, also for those of streams that are over.",
    specifications: [.flowControl, .windowUpdates], thresholds: [.leakShare, .leakAfter], since: "0.1")

  static func judge(_ story: ControlStory, in context: FlowContext, report: (Finding) -> Void) {
    guard let record = story.record, record.beginning != .midstream else { return }
    for sender in Direction.allCases {
      guard let left = record.sides[sender].left, left.nanoseconds >= context.thresholds[.leakAfter], left.most > 0,
        left.window <= left.most / 100 &* context.thresholds[.leakShare]
      else { continue }
      let isFelt = CreditWaits(record.credit[sender], in: context) != nil
      report(
        Finding(
          info, subject: .connection(context.id), direction: sender.opposite,
          "Of a window of \(Wording.bytes(UInt64(left.most))), \(Wording.bytes(UInt64(max(0, left.window)))) were left \(Wording.duration(left.nanoseconds)) after the last DATA.",
          cost: isFelt ? .lost(bytes: UInt64(max(0, left.most - left.window))) : .none, fix: info.fix,
          evidence: [Evidence(.packet(left.since, sender), "the last DATA")]))
    }
  }
}

extension Threshold {
  static let leakShare = Threshold(
    "h2.leak-share", .percent, 25, "a connection's window that is left smaller than this of its largest leaks")
  static let leakAfter = Threshold(
    "h2.leak-after", .nanoseconds, 1_000_000_000, "credit that is not back by then is forgotten")
}

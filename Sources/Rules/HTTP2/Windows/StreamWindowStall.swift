import Citation
import Events

/// A stream that is not read.
enum StreamWindowStall: CreditRule {
  static let info = RuleInfo(
    id: "h2/stream-window-stall", severity: .warning,
    summary: "A stream stalled because its receiver gave no credit.",
    explanation: """
      A sender may only send as much of a stream as the receiver gave it credit for. Credit comes when the receiving \
      application reads: a paused body, a slow consumer or a response object that is never closed stalls the stream, \
      while the connection and the network are idle.
      """,
    evidence: """
      The DATA that used the credit up, the WINDOW_UPDATE that ended the wait, and the DATA behind it. Data that comes \
      as soon as there is credit had been ready. Without credit until the stream ended, nothing could follow.
      """,
    fix: """
      Receiver: read the body, or reset the stream that is not wanted. A larger INITIAL_WINDOW_SIZE only hides a reader \
      that is too slow.
      """,
    specifications: [.flowControl, .windows], thresholds: [.creditStall, .creditStallError, .promptAfterCredit],
    causedBy: ["h2/connection-window-stall"], since: "0.1")

  static func judge(
    _ credit: CreditRecord, _ sender: Direction, of exchange: ExchangeRecord, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    guard !exchange.isSocketStream, let waits = CreditWaits(credit, in: context) else { return }
    var finding = Finding(
      info, severity: waits.severity(in: context), subject: .connection(context.id), exchange: exchange.number,
      direction: sender.opposite,
      "\(exchange.title): \(Wording.sender(sender)) had no credit for the stream \(waits.words).",
      cost: waits.cost, fix: info.fix, evidence: waits.evidence(sender, "stream"))
    finding.count = UInt64(waits.stalls.count)
    report(finding)
  }
}

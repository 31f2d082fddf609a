import Citation
import Events

/// A WebSocket that is not read.
enum H2FlowBlocked: CreditRule {
  static let info = RuleInfo(
    id: "ws/h2-flow-blocked", severity: .warning,
    summary: "A WebSocket over HTTP/2 stalled because its receiver gave no credit.",
    explanation: """
      A stream's window stops a WebSocket like any other body: messages, and pings behind them, wait until the receiving \
      application reads.
      """,
    evidence: "The DATA that used the credit up, the WINDOW_UPDATE that ended the wait, and the DATA behind it.",
    fix: "Receiver: read messages as they come. Sender: drop or join what is out of date.",
    specifications: [.flowControl], thresholds: [.creditStall, .creditStallError, .promptAfterCredit], since: "0.1")

  static func judge(
    _ credit: CreditRecord, _ sender: Direction, of exchange: ExchangeRecord, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    guard exchange.isSocketStream, let waits = CreditWaits(credit, in: context) else { return }
    var finding = Finding(
      info, severity: waits.severity(in: context), subject: .connection(context.id), exchange: exchange.number,
      direction: sender.opposite,
      "\(exchange.title): \(Wording.sender(sender)) had no credit for the WebSocket \(waits.words).",
      cost: waits.cost, fix: info.fix, evidence: waits.evidence(sender, "stream"))
    finding.count = UInt64(waits.stalls.count)
    report(finding)
  }
}

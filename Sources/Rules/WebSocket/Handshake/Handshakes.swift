import Citation
import Events
import HTTPSemantics

/// The requests for WebSocket of a connection: those refused are judged at once, the accepted one when it is known what
/// became of it.
struct Handshakes: Sendable {
  /// In the order of their requests; at most as many as WebSockets are followed of a connection.
  private var accepted: [Upgrade] = []

  /// What was accepted is no WebSocket of RFC 6455.
  func isDraft(_ key: ExchangeKey) -> Bool { accepted.contains { $0.exchange.key == key && $0.era == .draft } }

  mutating func observe(_ upgrade: Upgrade, in context: FlowContext, report: (Finding) -> Void) {
    let cause = RequestFaults.report(upgrade, in: context, report: report)
    Refusal(upgrade, cause: cause)?.judge(in: context, report: report)
    for rule in RuleIndex.upgradeRules { rule.judge(upgrade, in: context, report: report) }
    if upgrade.acceptance != nil, accepted.count < ConnectionRecord.socketLimit { accepted.append(upgrade) }
  }

  /// A handshake has no record where what followed the 101 was not read.
  func close(_ records: [WebSocketRecord], in context: FlowContext, report: (Finding) -> Void) {
    for upgrade in accepted {
      let record = records.first { $0.opening.exchangeKey == upgrade.exchange.key }
      guard var acceptance = Acceptance(upgrade, record, in: context) else { continue }
      acceptance.cause = ResponseFaults.report(acceptance, in: context, report: report)
      for rule in RuleIndex.acceptanceRules { rule.judge(acceptance, in: context, report: report) }
    }
  }
}

/// Judges a request for WebSocket when its exchange is over.
protocol UpgradeRule: StoryRule where Story == Upgrade {}

import Citation
import Events
import HTTPSemantics

/// The requests for WebSocket of a connection: those refused are judged at once, the accepted one when it is known what
/// became of it.
struct HandshakeStory: Sendable {
  /// In the order of their requests; at most as many as WebSockets are followed of a connection.
  private var accepted: [Upgrade] = []

  /// What was accepted is no WebSocket of RFC 6455.
  func isDraft(_ key: ExchangeKey) -> Bool { accepted.contains { $0.exchange.key == key && $0.era == .draft } }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let upgrade = Upgrade(exchange) else { return }
    let cause = UpgradeRequestRule.observe(upgrade, in: context, report: report)
    NegotiationFaults.observe(offerOf: upgrade, in: context, report: report)
    Refusal.observe(upgrade, cause: cause, in: context, report: report)
    HandshakeTimes.observe(upgrade, in: context, report: report)
    if upgrade.acceptance != nil, accepted.count < ConnectionRecord.socketLimit { accepted.append(upgrade) }
  }

  /// A handshake has no record where nobody read what followed the 101.
  func close(_ records: [WebSocketRecord], in context: FlowContext, report: (Finding) -> Void) {
    for upgrade in accepted {
      let record = records.first { $0.opening.exchangeKey == upgrade.exchange.key }
      close(upgrade, record, in: context, report: report)
    }
  }

  private func close(
    _ accepted: Upgrade, _ record: WebSocketRecord?, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let answer = accepted.acceptance else { return }
    let textBytes = record.map { $0.sides.toServer.bytes &+ $0.sides.toClient.bytes } ?? 0
    let client = accepted.request.direction
    // Nor does one reject the answer whom the server has closed upon.
    let hasFrames = record.map { $0.sides[client].last != nil || $0.sides[client.opposite].close != nil } ?? true
    let left = ClientRejected.left(accepted, hasFrames: hasFrames, in: context)
    let cause = UpgradeResponseRule.observe(accepted, answer, left: left, in: context, report: report)
    if let left { ClientRejected.judge(accepted, answer, left: left, cause: cause, in: context, report: report) }
    OfferedNotNegotiated.judge(accepted, answer, textBytes: textBytes, in: context, report: report)
  }
}

import Events
import HTTPSemantics
import Trace

/// The requests for WebSocket of a connection: those refused are judged at once, the accepted one when it is known what
/// became of it.
struct HandshakeStory: Sendable {
  private var accepted: Upgrade?
  private var record: WebSocketRecord?

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let upgrade = Upgrade(exchange) else { return }
    let cause = UpgradeRequestRule.observe(upgrade, in: context, report: report)
    NegotiationFaults.observe(offerOf: upgrade, in: context, report: report)
    Refusal.observe(upgrade, cause: cause, in: context, report: report)
    HandshakeTimes.observe(upgrade, in: context, report: report)
    if upgrade.acceptance != nil { accepted = upgrade }
  }

  mutating func observe(_ record: WebSocketRecord) {
    self.record = record
  }

  func close(in context: FlowContext, report: (Finding) -> Void) {
    guard let accepted, let answer = accepted.acceptance else { return }
    // Without a record nobody read what the client sent, if anything.
    let hasFrames = record.map { $0.sides[accepted.request.direction].last != nil } ?? true
    let left = ClientRejected.left(accepted, hasFrames: hasFrames, in: context)
    let cause = UpgradeResponseRule.observe(accepted, answer, left: left, in: context, report: report)
    if let left { ClientRejected.judge(accepted, answer, left: left, cause: cause, in: context, report: report) }
    OfferedNotNegotiated.judge(accepted, answer, textBytes: textBytes, in: context, report: report)
  }

  private var textBytes: UInt64 {
    guard let record else { return 0 }
    return record.sides.toServer.bytes &+ record.sides.toClient.bytes
  }
}

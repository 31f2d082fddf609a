import Citation
import Events
import HTTPSemantics

/// The requests for WebSocket of a connection: those refused are judged at once, the accepted one when it is known what
/// became of it.
struct HandshakeStory: Sendable {
  private var accepted: Upgrade?

  /// What was accepted is no WebSocket of RFC 6455.
  var isDraft: Bool { accepted?.era == .draft }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let upgrade = Upgrade(exchange) else { return }
    let cause = UpgradeRequestRule.observe(upgrade, in: context, report: report)
    NegotiationFaults.observe(offerOf: upgrade, in: context, report: report)
    Refusal.observe(upgrade, cause: cause, in: context, report: report)
    HandshakeTimes.observe(upgrade, in: context, report: report)
    if upgrade.acceptance != nil { accepted = upgrade }
  }

  /// `record` is nil where nobody read what followed the 101.
  func close(_ record: WebSocketRecord?, in context: FlowContext, report: (Finding) -> Void) {
    guard let accepted, let answer = accepted.acceptance else { return }
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

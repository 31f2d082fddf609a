import Citation
import Events
import HTTPSemantics

/// A request for WebSocket that was answered with 101, and what became of it when the connection is over.
struct Acceptance: Sendable {
  let upgrade: Upgrade
  /// The head of the 101.
  let answer: MessageHead
  /// What was sent in messages, both ways.
  let textBytes: UInt64
  /// The packet with which the client left right behind the 101, before any frame: it did not take the answer.
  let left: PacketRef?
  /// The fault of the 101 that explains why.
  var cause: RuleID?

  init?(_ upgrade: Upgrade, _ record: WebSocketRecord?, in context: FlowContext) {
    guard let answer = upgrade.acceptance else { return nil }
    self.upgrade = upgrade
    self.answer = answer
    textBytes = record.map { $0.sides.toServer.bytes &+ $0.sides.toClient.bytes } ?? 0
    let client = upgrade.request.direction
    // Nor does one reject the answer whom the server has closed upon.
    let hasFrames = record.map { $0.sides[client].last != nil || $0.sides[client.opposite].close != nil } ?? true
    let closing = context.closing(of: upgrade.exchange)
    let isPrompt =
      closing.at.map {
        $0.time.since(answer.released.time) <= context.thresholds[.rejection] &+ (context.roundTrip.total ?? 0)
      } ?? false
    left = !hasFrames && closing.by == client && isPrompt ? closing.at : nil
  }
}

/// Judges a 101 when its connection is over.
protocol AcceptanceRule: StoryRule where Story == Acceptance {}

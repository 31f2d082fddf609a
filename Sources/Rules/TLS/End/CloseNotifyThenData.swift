import Citation
import Events
import TLSSemantics

/// Data after close_notify.
enum CloseNotifyThenData: TLSSideRule {
  static let info = RuleInfo(
    id: "tls/close-notify-then-data", severity: .warning,
    summary: "Data followed close_notify, the end of the TLS data.",
    explanation: """
      What a side sends behind its own close_notify is ignored. What the other side still sends after it reaches a \
      library that may have stopped reading, and then a closed socket: the sender believes that it was delivered. Bulk \
      senders that do not read lose messages in this way.
      """,
    evidence: """
      The close_notify and the data behind it; of the other side's, the last record, where it was sent a round trip or \
      more after the notify and was answered with a reset. Records of up to 64 bytes may be an alert or control (the \
      GOAWAY of HTTP/2), and do not count. An encrypted alert before TLS 1.3 is taken for close_notify only before the \
      other's data, for it may be another one.
      """,
    fix: "Sender: read while writing, and stop at the peer's close_notify; repeat what was not answered.",
    specifications: [.rfc(8446, "6.1")], since: "0.1")

  /// A reset this soon, or within a round trip, answers the data.
  private static let atOnce: Int64 = 100_000_000

  static func judge(
    _ direction: Direction, of story: TLSStory, in context: FlowContext, report: (Finding) -> Void
  ) {
    judgeOwn(direction, story, report)
    judgePeers(direction, story, report)
  }

  private static func judgeOwn(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
    let side = story.session.sides[direction]
    guard let notify = side.closeNotify, !side.isCloseInferred, let late = side.firstAfterClose, !side.isLost else {
      return
    }
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.count(side.afterClose, "record")) behind its own close_notify: they may never be read.",
        cost: .lost(bytes: UInt64(late.length)),
        [
          Evidence(.packet(notify, direction), "close_notify"),
          Evidence(.bytes(late.span, direction), "data behind it"),
        ], count: side.afterClose))
  }

  /// What this side went on sending after the other one's close_notify had reached it, and was met with a reset.
  private static func judgePeers(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
    let peer = direction.opposite
    guard let notify = story.session.sides[peer].closeNotify, let reset = story.watch.resets[peer],
      let roundTrip = story.context.roundTrip.total,
      let late = story.session.sides[direction].application.lastOfData,
      late.span.first.number > notify.number,
      late.span.first.time.since(notify.time) > max(roundTrip, 1_000_000),
      reset.time.since(late.released.time) <= max(roundTrip, Self.atOnce), !story.session.sides[direction].isLost
    else { return }
    let after = late.span.first.time.since(notify.time)
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) still sent data \(Wording.duration(after)) after \(Wording.sender(peer)) had sent close_notify, and \(Wording.sender(peer)) answered with a reset: it is lost.",
        confidence: .medium, cost: .lost(bytes: UInt64(late.length)),
        [
          Evidence(.packet(notify, peer), "close_notify"),
          Evidence(.bytes(late.span, direction), "data behind it, the last of it"),
          Evidence(.packet(reset, peer), "the reset of a socket that is closed"),
        ]))
  }
}

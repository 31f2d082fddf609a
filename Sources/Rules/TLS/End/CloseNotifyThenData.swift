import Citation
import Events
import TLSSemantics

/// Data behind a goodbye.
enum CloseNotifyThenData: TLSSideRule {
  static let info = RuleInfo(
    id: "tls/close-notify-then-data", severity: .warning,
    summary: "Data came behind the end that TLS had announced.",
    explanation: """
      What a side sends behind its own close_notify is ignored. What the other side still sends behind it reaches a \
      library that may have been told to stop reading, and then a socket that is closed: the sender believes that it was \
      delivered. Bulk senders that do not read lose messages in this way.
      """,
    evidence: """
      The close_notify and the data behind it; of the other side's, the last record, where it was sent a round trip or \
      more after the goodbye and was answered with a reset. Records of up to 64 bytes may be a farewell or control \
      (an alert, the GOAWAY of HTTP/2), and do not count. An encrypted alert before TLS 1.3 is taken for a goodbye only \
      in front of the other's data, for it may be another one.
      """,
    fix: "Sender: read while writing, and stop at the peer's close_notify; send again what was not answered.",
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
    guard let goodbye = side.closeNotify, !side.isCloseInferred, let late = side.firstAfterClose, !side.isLost else {
      return
    }
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.count(side.afterClose, "record")) behind its own close_notify: nobody may read them.",
        cost: .lost(bytes: UInt64(late.length)),
        [
          Evidence(.packet(goodbye, direction), "close_notify"),
          Evidence(.bytes(late.span, direction), "data behind it"),
        ], count: side.afterClose))
  }

  /// What this side went on sending after the other one's goodbye had reached it, and was met with a reset.
  private static func judgePeers(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
    let peer = direction.opposite
    guard let goodbye = story.session.sides[peer].closeNotify, let reset = story.watch.resets[peer],
      let roundTrip = story.context.roundTrip.total,
      let late = story.session.sides[direction].application.lastOfData,
      late.span.first.number > goodbye.number,
      late.span.first.time.since(goodbye.time) > max(roundTrip, 1_000_000),
      reset.time.since(late.released.time) <= max(roundTrip, Self.atOnce), !story.session.sides[direction].isLost
    else { return }
    let after = late.span.first.time.since(goodbye.time)
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) still sent data \(Wording.duration(after)) after \(Wording.sender(peer)) had said close_notify, and \(Wording.sender(peer)) answered with a reset: it is lost.",
        confidence: .medium, cost: .lost(bytes: UInt64(late.length)),
        [
          Evidence(.packet(goodbye, peer), "close_notify"),
          Evidence(.bytes(late.span, direction), "data behind it, the last of it"),
          Evidence(.packet(reset, peer), "the reset of a socket that is closed"),
        ]))
  }
}

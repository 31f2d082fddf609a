import Citation
import Events
import TLSSemantics

/// A record that stalled in its middle.
enum RecordStall: TLSSideRule {
  static let info = RuleInfo(
    id: "tls/record-stall", severity: .warning,
    summary: "A record stalled in its middle, and nothing of it could be decrypted until its end.",
    explanation: """
      The first bytes of the record were there, the rest came much later, with the window open and no packet lost: the \
      sender itself paused inside it. A receiver that polls its socket sees bytes come and gets nothing to read, since a \
      record opens only as a whole. It happens where a program hands the library's output on in pieces, through a queue or \
      a proxy that buffers.
      """,
    evidence: """
      The packets with the first and the last byte of the record, and the longest pause between. A pause counts from the \
      acknowledgement of all that was sent, and must be longer than a round trip: before, the sender may have waited for \
      the network.
      """,
    fix:
      "Sender: write a record's bytes in one call, as the library gives them; keep records small where data is slow to come.",
    specifications: [.rfc(8446, "5.1")], thresholds: [.recordStall, .recordPause], since: "0.1")

  static func judge(
    _ direction: Direction, of story: TLSStory, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard !story.session.sides[direction].isLost else { return }
    let stalled = story.session.sides[direction].application.slow.filter { isStalled($0, direction, story) }
    func took(_ record: TLSRecord) -> Int64 { record.released.time.since(record.span.first.time) }
    guard let worst = stalled.max(by: { took($0) < took($1) }), let pause = worst.pause else { return }
    let others = stalled.count > 1 ? " (and \(stalled.count - 1) more)" : ""
    var evidence = [Evidence(.bytes(worst.span, direction), "its first bytes")]
    if pause.from.number != worst.span.first.number {
      evidence.append(
        Evidence(.packet(pause.from, direction), "then nothing for \(Wording.duration(pause.nanoseconds))"))
    }
    if pause.to.number != worst.released.number {
      evidence.append(Evidence(.packet(pause.to, direction), "it goes on"))
    }
    evidence.append(Evidence(.packet(worst.released, direction), "its last byte"))
    report(
      story.finding(
        info, direction,
        "A record of \(Wording.bytes(UInt64(worst.length))) of \(Wording.sender(direction)) took \(Wording.duration(took(worst))) from its first byte to its last\(others), with a pause of \(Wording.duration(pause.nanoseconds)) in it.",
        confidence: story.context.roundTrip.total == nil ? .medium : nil,
        cost: .delay(nanoseconds: stalled.reduce(0) { $0 &+ took($1) }), evidence, count: UInt64(stalled.count)))
  }

  static func isStalled(_ record: TLSRecord, _ direction: Direction, _ story: TLSStory) -> Bool {
    guard let pause = record.pause, record.lost == 0 else { return false }
    let took = record.released.time.since(record.span.first.time)
    let roundTrip = story.context.roundTrip.total ?? 0
    return took >= story.context.thresholds[.recordStall] && took > 2 &* roundTrip
      && pause.idleNanoseconds >= story.context.thresholds[.recordPause] && pause.idleNanoseconds > roundTrip
      && !story.watch.isTroubled(direction, record.span.first, record.released)
  }
}

extension Threshold {
  static let recordStall = Threshold(
    "tls.record-stall", .nanoseconds, 200_000_000, "a record that takes this long, and two round trips, was held up")
  static let recordPause = Threshold(
    "tls.record-pause", .nanoseconds, 50_000_000, "and stalled this long, or a round trip, in its middle")
}

import Citation
import Events
import TLSSemantics

/// A first record that is too large.
enum BigRecordFirstByte: TLSRule {
  static let info = RuleInfo(
    id: "tls/big-record-first-byte", severity: .warning,
    summary: "The first record of the answer is so large that its first byte waits for a round trip or more.",
    explanation: """
      Nothing of a record can be decrypted before its last byte is there. A first record of 16 KiB does not fit into what \
      a young connection may send at once: the client holds most of it and can show nothing. With small records at first \
      and large ones later the answer begins a round trip earlier.
      """,
    evidence: "The first and the last packet of the record; nothing was lost between them.",
    fix: "Server: begin with records of one segment (nginx ssl_buffer_size 4k, dynamic record sizes), grow later.",
    specifications: [.rfc(8446, "5.1")], thresholds: [.bigRecord], since: "0.1")

  /// A shorter wait is not noticeable.
  private static let felt: Int64 = 20_000_000

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    let direction = story.server
    guard let record = story.session.sides[direction].application.first, !story.context.isMidstream,
      record.length >= Int(clamping: story.context.thresholds[.bigRecord]), record.isComplete,
      let roundTrip = story.context.roundTrip.total
    else { return }
    let first = record.span.first
    let took = record.released.time.since(first.time)
    guard took > roundTrip, took >= felt, !story.watch.isTroubled(direction, first, record.released),
      !RecordStall.isStalled(record, direction, story)
    else { return }
    report(
      story.finding(
        info, direction,
        "The first record of the answer has \(Wording.bytes(UInt64(record.length))) and took \(Wording.duration(took)) to come, with a round trip of \(Wording.duration(roundTrip)): until then nothing of it can be read.",
        cost: .delay(nanoseconds: took),
        [
          Evidence(.bytes(record.span, direction), "the record begins"),
          Evidence(.packet(record.released, direction), "its last byte"),
        ]))
  }
}

extension Threshold {
  static let bigRecord = Threshold("tls.big-record", .bytes, 8_192, "a first record of this length is large")
}

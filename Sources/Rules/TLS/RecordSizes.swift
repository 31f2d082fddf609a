import Citation
import Events
import TLSSemantics

/// How application data was cut into records.
enum RecordSizes {
  static let infos: [RuleInfo] = [tiny, split, bigFirst]

  static let tiny = RuleInfo(
    id: "tls/tiny-records", severity: .warning,
    summary: "Bursts of tiny records: each small write becomes a record of its own.",
    explanation: """
      Every record costs 21 bytes and more on the wire, and a call of the cipher on both sides. A program that writes a \
      line or a field at a time straight to the TLS socket pays that for each. Messages that come one by one have to be \
      records of their own; these came several in a moment.
      """,
    evidence: "The first and the last record with application data, with what half of them hold at most.",
    fix: "Sender: collect what is written in one go, and hand it to the TLS library in one call.",
    specifications: [.rfc(8446, "5.1")], thresholds: [.tinyRecordCount, .tinyRecordSize], since: "0.1")

  static let split = RuleInfo(
    id: "tls/record-split-message", severity: .note,
    summary: "A message is cut into records where nothing asks for it.",
    explanation: """
      A head in a record of its own, and the body that belongs to it a moment later: two writes, of which the second often \
      waits for the acknowledgement of the first. Or a first byte alone, with the rest right behind: a guard against an \
      attack on CBC in TLS 1.0 that newer versions do not need, and that some receivers stumble over.
      """,
    evidence: "The record of one byte; or the end of the head and the first byte of a short body of known length.",
    fix: "Sender: write head and body in one call, or set TCP_NODELAY; switch the splitting of records off.",
    specifications: [.rfc(8446, "5.1")], thresholds: [.splitHead], since: "0.1")

  static let bigFirst = RuleInfo(
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

  static func judge(_ story: TLSStory, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      judgeTiny(direction, story, report)
      judgeSplit(direction, story, report)
    }
    if let head = story.watch.splitHead { report(headFinding(head, story)) }
    judgeBig(story, report)
  }

  private static func judgeTiny(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
    let profile = story.session.sides[direction].application
    let least = UInt64(max(1, story.context.thresholds[.tinyRecordCount]))
    guard profile.count >= least, let median = profile.sizes.quantile(50),
      median < story.context.thresholds[.tinyRecordSize], profile.count >= 4 &* max(1, profile.bursts),
      let first = profile.first, let last = profile.last
    else { return }
    let wire = profile.bytes &+ 5 &* profile.count
    var share = ""
    if let suite = story.session.cipherSuite, let version = story.session.version,
      let plain = suite.plaintext(ofBody: 1_000, in: version)
    {
      let overhead = UInt64(1_005 - plain.upperBound) &* profile.count
      share = "; \(overhead * 100 / max(1, wire)) % of the bytes on the wire only wrap them"
    }
    report(
      story.finding(
        tiny, direction,
        "\(Wording.sender(direction).atSentenceStart) wrote \(Wording.number(profile.count)) records in \(Wording.count(profile.bursts, "burst")), half of them with \(Wording.bytes(UInt64(median))) or less\(share).",
        [
          Evidence(.bytes(first.span, direction), "the first one"),
          Evidence(.bytes(last.span, direction), "the last one"),
        ], count: profile.count))
  }

  /// Pairs that a protocol's habits, and not the library's guard, may make.
  private static let chance: UInt64 = 3

  private static func judgeSplit(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
    let profile = story.session.sides[direction].application
    guard let first = profile.firstSplit, let version = story.session.version else { return }
    guard profile.splits >= (version <= .tls10 ? 1 : chance) else { return }
    report(
      story.finding(
        split, direction,
        "\(Wording.sender(direction).atSentenceStart) sends a first byte in a record of its own, \(Wording.count(profile.splits, "time"))\(version <= .tls10 ? "" : ", which \(version.name) does not need").",
        [Evidence(.bytes(first.span, direction), "a record of one byte")], count: profile.splits))
  }

  private static func headFinding(_ head: TLSWatch.SplitHead, _ story: TLSStory) -> Finding {
    let message = head.message
    let from = message.headReleased ?? message.first
    let to = message.firstBody ?? message.last
    return story.finding(
      split, message.direction,
      "\(Wording.sender(message.direction).atSentenceStart) sends a head alone, and its body of \(Wording.bytes(message.bodyBytes)) \(Wording.duration(to.time.since(from.time))) later\(head.count > 1 ? " (\(Wording.number(head.count)) messages)" : "").",
      exchange: head.exchange,
      [
        Evidence(.packet(from, message.direction), "the end of the head"),
        Evidence(.packet(to, message.direction), "the body begins"),
      ], count: head.count)
  }

  /// A shorter wait is not felt.
  private static let felt: Int64 = 20_000_000

  private static func judgeBig(_ story: TLSStory, _ report: (Finding) -> Void) {
    let direction = story.server
    guard let record = story.session.sides[direction].application.first, !story.context.isMidstream,
      record.length >= Int(clamping: story.context.thresholds[.bigRecord]), record.isComplete,
      let roundTrip = story.context.roundTrip.total
    else { return }
    let first = record.span.first
    let took = record.released.time.since(first.time)
    guard took > roundTrip, took >= felt, !story.watch.isTroubled(direction, first, record.released),
      !RecordPace.isStalled(record, direction, story)
    else { return }
    report(
      story.finding(
        bigFirst, direction,
        "The first record of the answer has \(Wording.bytes(UInt64(record.length))) and took \(Wording.duration(took)) to come, with a round trip of \(Wording.duration(roundTrip)): until then nothing of it can be read.",
        cost: .delay(nanoseconds: took),
        [
          Evidence(.bytes(record.span, direction), "the record begins"),
          Evidence(.packet(record.released, direction), "its last byte"),
        ]))
  }
}

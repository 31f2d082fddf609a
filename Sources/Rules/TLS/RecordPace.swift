import Citation
import Events
import TLSSemantics

/// When records came: one that stood still in its middle, and those that beat.
enum RecordPace {
  static let infos: [RuleInfo] = [stall, inference]

  static let stall = RuleInfo(
    id: "tls/record-stall", severity: .warning,
    summary: "A record stood still in its middle, and nothing of it could be read meanwhile.",
    explanation: """
      The first bytes of the record were there, the rest came much later, with the window open and no packet lost: the \
      sender itself paused inside it. A receiver that polls its socket sees bytes come and gets nothing to read, since a \
      record opens only as a whole. It happens where a program hands the library's output on in pieces, through a queue or \
      a proxy that buffers.
      """,
    evidence: """
      The packets with the first and the last byte of the record, and the longest pause between. A record that comes in \
      even small pieces may also be the path's: its pauses must be longer than a round trip to count.
      """,
    fix:
      "Sender: write a record's bytes in one go, as the library gives them; keep records small where data is slow to come.",
    specifications: [.rfc(8446, "5.1")], thresholds: [.recordStall, .recordPause], since: "0.1")

  static let inference = RuleInfo(
    id: "tls/chunk-inference", severity: .note, confidence: .medium,
    summary: "Records of one length come at a steady beat: a heartbeat shows through the encryption.",
    explanation: """
      Encryption hides what a record says and not how long it is. Records of the same few bytes at the same distance are \
      comments of an event stream, empty chunks, pings: the beat tells what a silence means, and which timeout on the way \
      it is meant to keep away, without any key.
      """,
    evidence: """
      The first and the last record of that length, with their distances. The length of the plaintext follows from the \
      suite; padding would make it less.
      """,
    fix: "Nothing to change. With a key log (--keylog) the same packets say what they carry.",
    specifications: [.rfc(8446, "5.4")], thresholds: [.beatCount, .beat], since: "0.1")

  static func judge(_ story: TLSStory, report: (Finding) -> Void) {
    for direction in Direction.allCases {
      judgeStall(direction, story, report)
      judgeBeat(direction, story, report)
    }
  }

  static func isStalled(_ record: TLSRecord, _ direction: Direction, _ story: TLSStory) -> Bool {
    guard let pause = record.pause, record.lost == 0 else { return false }
    let took = record.released.time.since(record.span.first.time)
    let roundTrip = story.context.roundTrip.total ?? 0
    return took >= story.context.thresholds[.recordStall] && took > 2 &* roundTrip
      && pause.nanoseconds >= story.context.thresholds[.recordPause] && pause.nanoseconds > roundTrip
      && !story.watch.isTroubled(direction, record.span.first, record.released)
  }

  private static func judgeStall(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
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
        stall, direction,
        "A record of \(Wording.bytes(UInt64(worst.length))) of \(Wording.sender(direction)) took \(Wording.duration(took(worst))) from its first byte to its last\(others), with a pause of \(Wording.duration(pause.nanoseconds)) in it.",
        confidence: story.context.roundTrip.total == nil ? .medium : nil,
        cost: .delay(nanoseconds: stalled.reduce(0) { $0 &+ took($1) }), evidence, count: UInt64(stalled.count)))
  }

  private static func judgeBeat(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
    guard story.session.opening != .opened, !TLSShape.isLikely(story) else { return }
    let side = story.session.sides[direction]
    guard !side.isLost, let beat = side.application.lengths.beat(story.context.thresholds) else { return }
    var size = "\(Wording.bytes(UInt64(beat.length))) each"
    if let suite = story.session.cipherSuite, let version = story.session.version,
      let plain = suite.plaintext(ofBody: beat.length, in: version)
    {
      size =
        plain.lowerBound == plain.upperBound
        ? "\(plain.upperBound) B of plaintext" : "up to \(plain.upperBound) B of plaintext"
    }
    report(
      story.finding(
        inference, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.number(beat.count)) records of one length (\(size)), \(Wording.duration(beat.shortestGap)) to \(Wording.duration(beat.longestGap)) apart.",
        [
          Evidence(.packet(beat.first, direction), "the first one"),
          Evidence(.packet(beat.last, direction), "the last one"),
        ], count: beat.count))
  }
}

extension RepeatedLengths {
  /// The length that came most often at a steady distance.
  func beat(_ thresholds: Thresholds) -> Length? {
    let least = UInt64(max(3, thresholds[.beatCount]))
    return all.filter { $0.count >= least && $0.isSteady && $0.shortestGap >= thresholds[.beat] }
      .max { $0.count < $1.count }
  }
}

extension RepeatedLengths.Length {
  /// Its gaps differ by a quarter at most.
  var isSteady: Bool { count >= 3 && longestGap &- shortestGap <= shortestGap / 4 }
}

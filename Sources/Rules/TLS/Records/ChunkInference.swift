import Citation
import Events
import TLSSemantics

/// Records that beat.
enum ChunkInference: TLSSideRule {
  static let info = RuleInfo(
    id: "tls/chunk-inference", severity: .note, confidence: .medium,
    summary: "Records of one length come at a steady beat: a heartbeat shows through the encryption.",
    explanation: """
      Encryption hides the content of a record and not its length. Records of the same few bytes at the same distance \
      are comments of an event stream, empty chunks, pings: the interval shows what a silence means, and which timeout \
      on the way it is meant to prevent, without any key.
      """,
    evidence: """
      The first and the last record of that length, with their distances. The length of the plaintext follows from the \
      suite; padding would make it less.
      """,
    fix: "Nothing to change. With a key log (--keylog) the same packets say what they carry.",
    specifications: [.rfc(8446, "5.4")], thresholds: [.beatCount, .beat], since: "0.1")

  static func judge(
    _ direction: Direction, of story: TLSStory, in context: FlowContext, report: (Finding) -> Void
  ) {
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
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sent \(Wording.number(beat.count)) records of one length (\(size)), \(Wording.duration(beat.shortestGap)) to \(Wording.duration(beat.longestGap)) apart.",
        [
          Evidence(.packet(beat.first, direction), "the first one"),
          Evidence(.packet(beat.last, direction), "the last one"),
        ], count: beat.count))
  }
}

extension Threshold {
  static let beatCount = Threshold("tls.beat-count", .count, 4, "records of one length that make a beat")
  static let beat = Threshold("tls.beat", .nanoseconds, 1_000_000_000, "they are this far apart at least")
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

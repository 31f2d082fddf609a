import Citation
import Events
import TLSSemantics

/// Bursts of tiny records.
enum TinyRecords: TLSSideRule {
  static let info = RuleInfo(
    id: "tls/tiny-records", severity: .warning,
    summary: "Bursts of tiny records: each small write becomes a record of its own.",
    explanation: """
      Every record costs 21 bytes and more on the wire, and a call of the cipher on both sides. A program that writes a \
      line or a field at a time straight to the TLS socket pays that for each. Messages that come one by one have to be \
      records of their own; these came several in a moment.
      """,
    evidence: "The first and the last record with application data, with what half of them hold at most.",
    fix: "Sender: collect what is written together, and pass it to the TLS library in one call.",
    specifications: [.rfc(8446, "5.1")], thresholds: [.tinyRecordCount, .tinyRecordSize], since: "0.1")

  static func judge(
    _ direction: Direction, of story: TLSStory, in context: FlowContext, report: (Finding) -> Void
  ) {
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
      let percent = overhead * 100 / max(1, wire)
      if percent > 0 { share = "; \(percent) % of the bytes on the wire only wrap them" }
    }
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) wrote \(Wording.number(profile.count)) records in \(Wording.count(profile.bursts, "burst")), half of them with \(Wording.bytes(UInt64(median))) or less\(share).",
        [
          Evidence(.bytes(first.span, direction), "the first one"),
          Evidence(.bytes(last.span, direction), "the last one"),
        ], count: profile.count))
  }
}

extension Threshold {
  static let tinyRecordCount = Threshold("tls.tiny-count", .count, 50, "records of one side, half of them tiny")
  static let tinyRecordSize = Threshold("tls.tiny-size", .bytes, 64, "records with less plaintext are tiny")
}

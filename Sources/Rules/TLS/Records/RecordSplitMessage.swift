import Citation
import Events
import TLSSemantics

/// A message that is cut without need.
enum RecordSplitMessage: TLSRule {
  static let info = RuleInfo(
    id: "tls/record-split-message", severity: .note,
    summary: "A message is cut into records without need.",
    explanation: """
      A head in a record of its own, and the body that belongs to it a moment later: two writes, of which the second \
      often waits for the acknowledgement of the first. Or a first byte alone, with the rest right behind: a guard \
      against an attack on CBC in TLS 1.0 that newer versions do not need, and that some receivers fail on.
      """,
    evidence: "The record of one byte; or the end of the head and the first byte of a short body of known length.",
    fix: "Sender: write head and body in one call, or set TCP_NODELAY; switch the splitting of records off.",
    specifications: [.rfc(8446, "5.1")], thresholds: [.splitHead], since: "0.1")

  /// Pairs that a protocol's habits, and not the library's guard, may make.
  private static let chance: UInt64 = 3

  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases { judgeSplit(direction, story, report) }
    if let head = story.watch.splitHead { report(headFinding(head, story)) }
  }

  private static func judgeSplit(_ direction: Direction, _ story: TLSStory, _ report: (Finding) -> Void) {
    let profile = story.session.sides[direction].application
    guard let first = profile.firstSplit, let version = story.session.version else { return }
    guard profile.splits >= (version <= .tls10 ? 1 : chance) else { return }
    report(
      story.finding(
        info, direction,
        "\(Wording.sender(direction).atSentenceStart) sends a first byte in a record of its own, \(Wording.count(profile.splits, "time"))\(version <= .tls10 ? "" : ", which \(version.name) does not need").",
        [Evidence(.bytes(first.span, direction), "a record of one byte")], count: profile.splits))
  }

  private static func headFinding(_ head: TLSWatch.SplitHead, _ story: TLSStory) -> Finding {
    let message = head.message
    let from = message.headReleased ?? message.first
    let to = message.firstBody ?? message.last
    return story.finding(
      info, message.direction,
      "\(Wording.sender(message.direction).atSentenceStart) sends a head alone, and its body of \(Wording.bytes(message.bodyBytes)) \(Wording.duration(to.time.since(from.time))) later\(head.count > 1 ? " (\(Wording.number(head.count)) messages)" : "").",
      exchange: head.exchange,
      [
        Evidence(.packet(from, message.direction), "the end of the head"),
        Evidence(.packet(to, message.direction), "the body begins"),
      ], count: head.count)
  }
}

extension Threshold {
  static let splitHead = Threshold(
    "tls.split-head", .nanoseconds, 40_000_000, "a short body this long after its head was written apart")
}

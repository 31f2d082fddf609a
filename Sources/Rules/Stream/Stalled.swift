import Citation
import Events
import HTTPSemantics

/// A single stream with a steady beat that stalled. Of several, see StalledTogether, which finds both.
enum Stalled: Rule {
  static let info = RuleInfo(
    id: "stream/stalled", severity: .warning, confidence: .low,
    summary: "A stream with a steady beat stalled.",
    explanation: """
      It came at an even pace, stopped for many times as long, and went on as before. Nothing was lost, and the client had \
      room for more: the server, or what feeds the stream, gave nothing. It may have had nothing to say; but what comes by \
      the clock seldom has.
      """,
    evidence: """
      The last bytes before the pause and the first behind it. The stream is read item by item and has 24 items or more, 5 ms \
      apart or more, of which nine in ten come within twice the usual time; the pause is ten times as long as that, two seconds or more, and \
      the only one of its kind. Where both sides of a proxy are in the capture, the side that stopped first is cited. Answers \
      of language models, and streams that stall together, have rules of their own.
      """,
    fix: """
      Server: find what this stream's source did at that time (a query, an upstream, a lock). Write a comment or an empty \
      event while there is nothing to send, so that readers can tell the two apart.
      """,
    specifications: [.eventSourceModel], thresholds: [.downloadPause], causedBy: ["tcp/host-silent"], since: "0.1")

  static let leastItems: UInt64 = 24
  /// What comes faster is one write.
  static let shortestBeat: Int64 = 5_000_000

  /// `others` are copies of it that stalled at the same time, on other connections.
  static func finding(
    _ exchange: SeenExchange, _ direction: Direction, from: PacketRef, to: PacketRef, beat: Int64, others: [Int]
  ) -> Finding {
    let lasted = to.time.since(from.time)
    var finding = exchange.finding(
      info, direction,
      "\(exchange.title): the stream stopped for \(Wording.duration(lasted)) and went on; its beat is \(Wording.duration(beat)).",
      cost: .delay(nanoseconds: lasted),
      evidence: [
        Evidence(.packet(from, direction), "the last bytes before the pause"),
        Evidence(.packet(to, direction), "and the next"),
      ])
    finding.alsoOn = others.filter { $0 != exchange.connection }.sorted()
    return finding
  }
}

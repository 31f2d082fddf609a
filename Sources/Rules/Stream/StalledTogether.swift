import Citation
import Events
import HTTPSemantics

/// Streams of one server that have a beat, and stall at the same time.
///
/// Bounded: the newest `limit` stalls.
struct StalledTogether: CaptureRule {
  static let info = RuleInfo(
    id: "stream/stalled-together", severity: .warning, confidence: .medium,
    summary: "Several streams of one server stalled at the same time.",
    explanation: """
      Each of them had a steady beat, and all of them stopped and went on together, though nothing was lost and every client \
      had room for more. What they have in common is the server's process or what feeds it: a pause of its garbage collector, \
      a blocked event loop, a host without processor time or with a suspended guest, a source that all of them are fed by.
      """,
    evidence: """
      Of the first two streams the last bytes before the pause and the first behind it. Streams that are read item by item, \
      with eight items or more, of which nine in ten come within twice the usual time; the pause is ten times as long as \
      that, two seconds or more, and the only one of its kind. They stop within one beat of each other, and go on within a \
      twentieth of a second. One stream alone has stream/stalled. Answers of language models have a rule of \
      their own.
      """,
    fix: """
      Server: see what its process did at this time (the garbage collector's log, a blocked event loop, processor time that \
      was taken away), and whether the source of these streams stalled itself.
      """,
    specifications: [.eventSourceModel], thresholds: [.downloadPause], causedBy: ["tcp/host-silent"], since: "0.1")

  private struct Stall: Sendable {
    let exchange: SeenExchange
    let parties: FindingParties
    let direction: Direction
    let from: PacketRef
    let to: PacketRef
    let beat: Int64
    let items: UInt64
    /// Packets that the sender numbered in the pause, and that never came: then the sender went on.
    let unseen: UInt16

    var lasted: Int64 { to.time.since(from.time) }

    func isWith(_ other: Stall) -> Bool { parties.server == other.parties.server && isAlong(other) }

    /// The same on the other side of a proxy, perhaps.
    func isAlong(_ other: Stall) -> Bool {
      let apart = max(StalledTogether.together, min(beat, other.beat))
      return from.time.apart(from: other.from.time) <= apart
        && to.time.apart(from: other.to.time) <= StalledTogether.together
    }
  }

  private static let limit = 256
  private static let leastItems: UInt64 = 8
  private static let factor: Int64 = 10
  /// Of a pause in which packets are known to be lost.
  private static let lostFactor: Int64 = 4
  private static let together: Int64 = 50_000_000

  private var stalls: [Stall] = []

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = asked.exchange.response, response.isReadByItem, !response.stalls.isEmpty,
      let stall = Self.stall(of: response, context.thresholds[.downloadPause]),
      let beat = response.stream?.beat(of: Self.leastItems),
      asked.exchange.answer == nil || stall.unseen > 0,
      stall.nanoseconds >= beat.saturatingMultiplied(by: stall.unseen > 0 ? Self.lostFactor : Self.factor)
    else { return }
    if stalls.count == Self.limit { stalls.removeFirst() }
    stalls.append(
      Stall(
        exchange: SeenExchange(asked, in: context),
        parties: FindingParties(client: context.client, server: context.server), direction: response.direction,
        from: stall.from, to: stall.to, beat: beat, items: response.stream?.items ?? 0, unseen: stall.unseen))
  }

  /// The one pause that is much longer than all others, behind which the stream went on.
  private static func stall(of response: Message, _ least: Int64) -> StreamPause? {
    guard let longest = response.stalls.max(by: { $0.nanoseconds < $1.nanoseconds }),
      longest.cause == .senderIdle || longest.unseen > 0,
      longest.nanoseconds >= least, let last = response.lastBody, longest.to.number <= last.number,
      response.stalls.count(where: { $0.nanoseconds >= longest.nanoseconds / 2 }) == 1
    else { return nil }
    return longest
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let all = stalls.sorted { $0.from.number < $1.from.number }
    var lost = all.filter { $0.unseen > 0 }
    while let first = lost.first {
      let group = lost.filter { $0.isAlong(first) }
      lost.removeAll { $0.isAlong(first) }
      report(Self.loss(group))
    }
    var left = all.filter { $0.unseen == 0 }
    var alone: [Stall] = []
    while let first = left.first {
      let group = left.filter { $0.isWith(first) }
      left.removeAll { $0.isWith(first) }
      if group.count > 1 {
        report(Self.stalled(group))
      } else if first.items >= Stalled.leastItems, first.beat >= Stalled.shortestBeat {
        alone.append(first)
      }
    }
    while let first = alone.first {
      let others = alone.filter { $0.isAlong(first) }.map(\.exchange.connection)
      alone.removeAll { $0.isAlong(first) }
      var finding = Stalled.finding(
        first.exchange, first.direction, from: first.from, to: first.to, beat: first.beat, others: others)
      finding.parties = first.parties
      report(finding)
    }
  }

  /// The copies of the first lost packet were lost, too, all but the last: no packet shows a retransmission by itself.
  private static func loss(_ group: [Stall]) -> Finding {
    let first = group[0]
    var finding = finding(
      RetransmissionGap.info, group,
      "\(first.exchange.title): the stream stopped for \(Wording.duration(first.lasted)) and went on; its beat is \(Wording.duration(first.beat)). The server sent \(Wording.count(UInt64(first.unseen), "packet")) meanwhile that did not come this far.",
      [
        Evidence(.packet(first.from, first.direction), "the last bytes before the pause"),
        Evidence(.packet(first.to, first.direction), "and the next, of which the IP identification has jumped"),
      ])
    finding.confidence = .low
    finding.fix = RetransmissionGap.lostUpstreamFix
    return finding
  }

  private static func stalled(_ group: [Stall]) -> Finding {
    let first = group[0]
    return finding(
      info, group,
      "\(first.exchange.title): this stream and \(Wording.count(UInt64(group.count - 1), "other")) of \(first.parties.server) stalled together for \(Wording.duration(first.lasted)); their beat is \(Wording.duration(first.beat)).",
      group.prefix(2).flatMap { stall in
        [
          Evidence(.packet(stall.from, stall.direction), "the last bytes on connection #\(stall.exchange.connection)"),
          Evidence(.packet(stall.to, stall.direction), "and the next"),
        ]
      })
  }

  /// Of the first of several streams, on the connections of all of them.
  private static func finding(
    _ info: RuleInfo, _ group: [Stall], _ message: FindingMessage, _ evidence: [Evidence]
  ) -> Finding {
    let first = group[0]
    var finding = first.exchange.finding(
      info, first.direction, message, cost: .delay(nanoseconds: first.lasted), evidence: evidence)
    finding.count = UInt64(group.count)
    finding.parties = first.parties
    finding.alsoOn = Set(group.map(\.exchange.connection)).subtracting([first.exchange.connection]).sorted()
    return finding
  }
}

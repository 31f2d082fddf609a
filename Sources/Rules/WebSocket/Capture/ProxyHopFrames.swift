import Citation
import Events

/// The frames of a client on both hops of a proxy: one that passes frames on as they are leaves their masks alone, so
/// that each frame is known again, and how long the proxy had it.
///
/// Bounded: the last connections by key, and of each the first masks.
struct ProxyHopFrames: CaptureRule {
  static let info = RuleInfo(
    id: "ws/proxy-hop-frames", severity: .note, summary: "A proxy passes the frames of a WebSocket on as they are.",
    explanation: """
      The frames of both hops have the same masks: nothing between reads or changes them, and what a frame was late on the \
      first hop already is not the proxy's doing.
      """,
    evidence: "The frame that the proxy had longest, on both hops.",
    fix: "No action needed; compare the two connections.", specifications: [.webSocket("5.3")], since: "0.1")

  private static let limit = 128
  /// Masks that must be the same: one in 2^32 is by chance.
  private static let enough = 3

  private struct Sighting: Sendable {
    let record: WebSocketRecord
    let context: FlowContext
  }

  private var sightings = BoundedTable<[UInt8], [Sighting]>(limit: Self.limit)

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    guard case .socketClosed(let record) = event, let context else { return }
    let key = record.opening.key
    guard !key.isEmpty, key.count <= 64, record.firstMasks.count >= Self.enough else { return }
    let mine = Sighting(record: record, context: context)
    var others: [Sighting] = []
    sightings.update(key, orMake: []) { list in
      others = list
      if list.count < 2 { list.append(mine) }
    }
    for other in others where other.context.id != context.id { compare(mine, other, report) }
  }

  private func compare(_ one: Sighting, _ other: Sighting, _ report: (Finding) -> Void) {
    guard let first = one.record.firstMasks.first, let second = other.record.firstMasks.first else { return }
    let (outer, inner) = first.packet.number < second.packet.number ? (one, other) : (other, one)
    var held: [(from: PacketRef, to: PacketRef)] = []
    for (mask, again) in zip(outer.record.firstMasks, inner.record.firstMasks) {
      guard mask.key == again.key, mask.key != 0 else { break }
      held.append((mask.packet, again.packet))
    }
    guard held.count >= Self.enough,
      let longest = held.max(by: { $0.to.time.since($0.from.time) < $1.to.time.since($1.from.time) })
    else { return }
    let times = held.map { $0.to.time.since($0.from.time) }.sorted()
    report(
      Finding(
        Self.info, subject: .connection(outer.context.id), exchange: outer.record.opening.exchange,
        direction: outer.record.opening.client,
        FindingMessage(
          "The client's first \(Wording.number(UInt64(held.count))) frames have the same masks on connection #\(inner.context.number): the proxy passes frames on as they are, \(Wording.duration(times[times.count / 2])) after they came in the middle, \(Wording.duration(times[times.count - 1])) at most."
        ), cost: .none,
        evidence: [
          Evidence(.packet(longest.from, outer.record.opening.client), "the frame that the proxy had longest comes"),
          Evidence(.packet(longest.to, inner.record.opening.client), "and goes on"),
        ]
      ).on(outer.context.number))
  }
}

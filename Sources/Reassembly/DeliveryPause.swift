import Citation
import Decode

/// A direction that gave nothing for a while, as it stood when its bytes went on, or when it ended. Why is for others to
/// say: they know what was observed meanwhile.
package struct DeliveryPause: Sendable, Equatable {
  /// Shorter ones are not reported. What is longer is worth a look whatever the round trip is.
  package static let shortest: Int64 = 500_000_000

  package var direction: Direction
  /// The packet that gave the last bytes before, and the one that gave the next or ended the direction.
  package var from: PacketRef
  package var to: PacketRef
  /// The packet that had acknowledged everything before the bytes went on; `.none` when some was outstanding.
  package var acknowledged = PacketRef.none
  /// The first packet that waited behind the hole which the next bytes filled.
  package var holeSince: PacketRef?
  /// Packets that the sender's IP identifications count and this capture point never saw.
  package var unseenPackets: UInt16 = 0
  /// Packets of the receiver were captured: only then can an acknowledgement be missed.
  package var isReceiverHeard: Bool
  /// How much less than the time of day the sender's own clock went on, by its TCP timestamps: the packet was sent so long
  /// before it came here.
  package var underway: Int64 = 0
  package var isEnd = false

  package var nanoseconds: Int64 { to.time.since(from.time) }
}

/// Where the sender's IP identifications stood at its first bytes, and at its newest: a series that counts packets one
/// by one shows how many went by unseen.
struct IdentificationSeries: Sendable {
  /// A series that was right by chance for so many packets is not believed to be one.
  private static let proven: UInt64 = 4
  private static let mostUnseen: UInt16 = 64

  private var firstIdentification: UInt16?
  private var firstCount: UInt64 = 0
  var count: UInt64 = 0

  mutating func begin(_ segment: TCPSegment, count: UInt64) {
    firstIdentification = segment.identification
    firstCount = count
  }

  /// Packets between the one with `newest` and this one, where the series counted every packet up to then.
  func unseen(before segment: TCPSegment, count now: UInt64, newest: UInt16?) -> UInt16 {
    guard let first = firstIdentification, let newest, let own = segment.identification, count > firstCount,
      count &- firstCount >= Self.proven, newest &- first == UInt16(truncatingIfNeeded: count &- firstCount)
    else { return 0 }
    let unseen = own &- newest &- UInt16(truncatingIfNeeded: now &- count)
    return unseen <= Self.mostUnseen ? unseen : 0
  }
}

extension HalfConnection {
  /// Packets of several queues are recorded in an order that is wrong by no more.
  private static let queueing: Int64 = 3_000_000

  /// The packet that gave the newest bytes.
  var lastGiven: PacketRef { drainedBy.number > lastDelivered.number ? drainedBy : lastDelivered }

  /// Before the delivery of a segment that came long after the one before it.
  mutating func notePause(
    _ segment: TCPSegment, _ window: Span<UInt8>, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) {
    let from = lastGiven
    defer {
      if from.number == 0 {
        series.begin(segment, count: counters.packets)
        clock.begin(segment.options(in: window).timestamp, at: segment.packet.time)
      }
    }
    guard from.number > 0, segment.packet.time.since(from.time) > DeliveryPause.shortest else { return }
    var pause = DeliveryPause(
      direction: direction, from: from, to: segment.packet, isReceiverHeard: ackedBy.number > 0)
    pause.acknowledged = acknowledgedAll(before: segment.packet, since: from)
    pause.unseenPackets = series.unseen(before: segment, count: counters.packets, newest: highestIdentification)
    if pause.unseenPackets > 0 { series.begin(segment, count: counters.packets) }
    pause.underway = clock.underway(
      segment.options(in: window).timestamp, at: segment.packet.time, pause: pause.nanoseconds)
    outputs.items.append(.pause(pause))
  }

  /// What had acknowledged everything before these bytes. An acknowledgement of the bytes themselves, which recorders of
  /// several queues put before them, says nothing of when.
  private func acknowledgedAll(before packet: PacketRef, since from: PacketRef) -> PacketRef {
    guard acked >= next else { return .none }
    return acked > next && packet.time.since(ackedBy.time) <= Self.queueing ? from : ackedBy
  }

  /// Before the delivery of what waited behind a hole.
  func notePause(
    _ first: HoldQueue.Segment, releasedBy packet: PacketRef, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) {
    let from = lastGiven
    guard from.number > 0, packet.time.since(from.time) > DeliveryPause.shortest else { return }
    var pause = DeliveryPause(direction: direction, from: from, to: packet, isReceiverHeard: ackedBy.number > 0)
    pause.holeSince = hold.segments.map(\.packet).min { $0.number < $1.number }
    if let since = pause.holeSince, since.number >= packet.number { pause.holeSince = nil }
    if first.packet.number < packet.number, first.packet.number < pause.holeSince?.number ?? .max {
      pause.holeSince = first.packet
    }
    outputs.items.append(.pause(pause))
  }

  /// Before the direction ends, or goes on with what came before the bytes that it answers.
  func notePause(until packet: PacketRef, isEnd: Bool, _ direction: Direction, _ outputs: inout ReassemblyOutputs) {
    let from = lastGiven
    guard from.number > 0, packet.time.since(from.time) > DeliveryPause.shortest else { return }
    var pause = DeliveryPause(direction: direction, from: from, to: packet, isReceiverHeard: ackedBy.number > 0)
    pause.acknowledged = ackedData >= next ? ackedBy : .none
    pause.isEnd = isEnd
    outputs.items.append(.pause(pause))
  }
}

extension HalfConnection {
  /// Compares a FIN or RST with the packets its sender sent before. Where each packet was captured at two places of its
  /// way, one hop apart, only with those that were captured at the same place.
  func origin(of segment: TCPSegment) -> EndOrigin? {
    let wasData = highestPacket.number > 0 && highestPacket.number < segment.packet.number
    let isDataHere = wasData && highestLinkSource == segment.linkSource
    let here = recent.newest(from: segment.linkSource)
    let place = here != nil || isDataHere ? segment.linkSource : nil
    let empty = place == nil ? recent.newest() : here
    let hasData = place == nil ? wasData : isDataHere
    guard empty != nil || hasData else { return nil }
    let isDataNewer = hasData && (empty.map { $0.time < highestPacket.time } ?? true)
    var usual = isDataNewer ? highestTimeToLive : empty?.timeToLive ?? highestTimeToLive
    var isKnown =
      recent.holds(timeToLive: segment.timeToLive, from: place) || hasData && highestTimeToLive == segment.timeToLive
    if segment.usualTimeToLive > 0 {
      usual = segment.usualTimeToLive
      isKnown = usual == segment.timeToLive
    }
    return EndOrigin(
      timeToLive: segment.timeToLive, usualTimeToLive: usual, identification: segment.identification,
      lastIdentification: isDataNewer ? highestIdentification : empty?.identification,
      hasOtherTimeToLive: !isKnown)
  }
}

extension Connection {
  /// The silence of a direction that is going on; nil before its first bytes.
  package func silence(_ direction: Direction, until packet: PacketRef) -> DeliveryPause? {
    let from = half[direction].lastGiven
    guard from.number > 0 else { return nil }
    var pause = DeliveryPause(
      direction: direction, from: from, to: packet, isReceiverHeard: half[direction].ackedBy.number > 0)
    pause.acknowledged = half[direction].acked >= half[direction].next ? half[direction].ackedBy : .none
    pause.isEnd = true
    return pause
  }

  /// The packet that gave a direction's newest bytes.
  package func lastGiven(_ direction: Direction) -> PacketRef { half.read(direction) { $0.lastGiven } }

  /// Nothing since that packet was acknowledged in its direction, nor did any bytes come back.
  package func isUnanswered(_ direction: Direction, since packet: PacketRef) -> Bool {
    half.read(direction) { $0.ackedBy.number > 0 && $0.ackedBy.number < packet.number }
      && half.read(direction.opposite) { $0.lastGiven.number < packet.number }
      && !lacksPackets(of: direction.opposite, after: packet)
  }
}

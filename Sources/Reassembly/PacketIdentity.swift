import Citation
import Decode

/// What tells a packet that was recorded again from one that was retransmitted with the same numbers: the file holds two
/// capture points, two interfaces of one host, or a part of itself twice.
struct PacketIdentity: Sendable {
  /// Two recordings of one SYN or SYN-ACK at the same hop are never further apart; no system sends either again so soon,
  /// though some do so with the same identification.
  private static let handshake: Int64 = 50_000_000

  let time: Timestamp
  let identification: UInt16?
  let timeToLive: UInt8

  /// Whether a SYN or SYN-ACK with the same numbers is the same packet.
  func isHandshake(recordedAgainIn segment: TCPSegment) -> Bool {
    guard identification == segment.identification else { return false }
    if segment.isStamped(noLaterThan: time) { return true }
    let elapsed = segment.packet.time.since(time)
    let isElsewhere = timeToLive != segment.timeToLive
    // Without identification nothing but the time tells them apart.
    if identification == nil { return elapsed <= (isElsewhere ? RecentPackets.close : RecentPackets.closest) }
    // Another hop of the path, at whatever distance in time the two recordings were put together.
    return isElsewhere || elapsed <= Self.handshake
  }
}

extension PacketIdentity {
  init(_ segment: TCPSegment) {
    self.init(
      time: segment.packet.time, identification: segment.identification, timeToLive: segment.timeToLive)
  }
}

extension TCPSegment {
  /// A repeat that is stamped no later than its original is a copy: nothing is retransmitted before it was sent.
  @inline(__always)
  func isStamped(noLaterThan time: Timestamp) -> Bool { behind > 0 && stamp <= time }
}

extension Connection {
  /// Whether data behind the end of the connection is data from before it, recorded again.
  mutating func isRecordedAgain(
    _ segment: TCPSegment, at sequence: SequenceNumber, _ direction: Direction, _ delivered: DeliveredHistory,
    _ outputs: inout ReassemblyOutputs
  ) -> Bool {
    guard let start = half[direction].offset(of: sequence), start >= 0,
      start &+ Int64(segment.payloadLength) <= Int64(half[direction].next),
      delivered.holds(segment, at: UInt64(start), from: half[direction].history)
    else { return false }
    half[direction].counters.duplicates &+= 1
    outputs.observe(TCPObservation(.duplicatePacket, segment.packet, direction))
    return true
  }
}

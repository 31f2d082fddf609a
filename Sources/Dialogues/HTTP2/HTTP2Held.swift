import Citation
import Events
import HTTP2Semantics

/// Frames that one packet released, because their last bytes had waited behind a lost segment: several streams stand
/// still where only one was hit.
struct HTTP2Held: Sendable {
  private(set) var record = HeldStreams()
  private var released = PacketRef.none
  private var first = PacketRef.none
  private var streams: Set<UInt32> = []
  private var bytes: UInt64 = 0
  private static let streamLimit = 1_024
  /// The acknowledgement of bytes that are not in the capture, and the packet that released what stands behind them here:
  /// the receiver had them, and no stream waited.
  private var acknowledged: UInt64 = 0
  private var passed: UInt64 = 0

  mutating func giveUp(at packet: PacketRef) { acknowledged = packet.number }

  /// A frame of so many bytes, whose last ones came in `last`.
  mutating func note(_ stream: UInt32, _ length: UInt32, last: PacketRef, _ packet: PacketRef) {
    if last.number <= acknowledged { passed = packet.number }
    guard packet.number != passed else { return }
    if packet.number != released.number { end() }
    if streams.isEmpty {
      released = packet
      first = last
    }
    if last.number < first.number { first = last }
    if streams.count < Self.streamLimit { streams.insert(stream) }
    bytes &+= UInt64(length)
  }

  /// What one packet released is over.
  mutating func end() {
    defer {
      streams.removeAll(keepingCapacity: true)
      bytes = 0
    }
    guard streams.count > 1 else { return }
    let waited = released.time.since(first.time)
    guard waited >= 200_000_000 else { return }
    var hole = HeldStreams()
    hole.count = 1
    hole.nanoseconds = waited
    hole.bytes = bytes
    hole.streams = streams.count
    hole.first = first
    hole.released = released
    record.add(hole)
  }
}

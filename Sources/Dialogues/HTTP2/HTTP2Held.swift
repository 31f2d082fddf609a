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

  mutating func note(_ frame: HTTP2Frame) {
    if frame.released.number != released.number { end() }
    if streams.isEmpty {
      released = frame.released
      first = frame.span.last
    }
    if frame.span.last.number < first.number { first = frame.span.last }
    if streams.count < Self.streamLimit { streams.insert(frame.stream) }
    bytes &+= UInt64(frame.length)
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

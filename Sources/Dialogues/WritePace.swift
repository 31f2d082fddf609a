import Citation
import Events

/// The last segment of one direction, to determine whether the next one waited for its acknowledgement: Nagle's
/// algorithm holds a small segment back while another is outstanding, and the receiver delays its acknowledgement.
struct WritePace: Sendable {
  /// An acknowledgement that was delayed on purpose comes after so long: 40 ms on Linux, 200 ms elsewhere.
  private static let delayed: ClosedRange<Int64> = 35_000_000...220_000_000
  /// A segment of this size is full on any usual path, and is not held. A shorter one is full where the sender has sent
  /// no longer one, down to what every path takes.
  private static let full = 1_400
  private static let least = 536

  private(set) var last = PacketRef.none
  private var length = 0
  private var longest = 0

  /// Takes the next segment; `answered` is the last one of the other side, whose acknowledgement came with data and was
  /// not delayed for want of it.
  @inline(__always)
  mutating func take(_ chunk: borrowing CitedBytes, answered: PacketRef) -> HeldWrite? {
    let before = last
    let size = length
    // What waited behind a hole is acknowledged when that is filled, and not sooner.
    last = chunk.released.number > chunk.packet.number ? .none : chunk.packet
    length = chunk.bytes.count
    longest = max(longest, length)
    let full = min(Self.full, max(Self.least, longest))
    guard size < full, length < full, before.number > 0, chunk.acknowledged.number > before.number,
      chunk.acknowledged.number != answered.number, Self.delayed.contains(chunk.acknowledged.time.since(before.time))
    else { return nil }
    return HeldWrite(before: before, acknowledgement: chunk.acknowledged, packet: chunk.packet)
  }
}

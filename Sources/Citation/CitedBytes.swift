/// In-order bytes of one direction that arrived in exactly one packet.
///
/// Because there is only one packet, provenance is two constants per call instead of a map per byte, and a part of a
/// chunk has the provenance of the whole. It borrows the capture window's memory: keeping one past the window's reuse
/// does not compile.
package struct CitedBytes: ~Escapable {
  package let bytes: Span<UInt8>
  /// Where the first byte stands in the layer's own stream.
  package let offset: UInt64
  /// The packet that carried the first byte.
  package let packet: PacketRef
  /// The packet that made the bytes readable: differs after a hole, and for bytes of a decrypted or framed unit.
  package let released: PacketRef
  /// The packet that had acknowledged all bytes before these when they came; `.none` when some were outstanding, or
  /// where nobody knows.
  package let acknowledged: PacketRef
  /// The packet stands in the capture before bytes of the other side that it acknowledges; in its place is `released`.
  package let isAhead: Bool

  @inline(__always)
  @_lifetime(copy bytes)
  package init(
    _ bytes: Span<UInt8>, at offset: UInt64, in packet: PacketRef, released: PacketRef, acknowledged: PacketRef = .none,
    isAhead: Bool = false
  ) {
    self.bytes = bytes
    self.offset = offset
    self.packet = packet
    self.released = released
    self.acknowledged = acknowledged
    self.isAhead = isAhead
  }

  /// A part of the chunk.
  @inline(__always)
  @_lifetime(copy self)
  package func slice(_ range: Range<Int>) -> CitedBytes {
    CitedBytes(
      bytes.extracting(range), at: offset &+ UInt64(truncatingIfNeeded: range.lowerBound), in: packet,
      released: released, acknowledged: acknowledged, isAhead: isAhead)
  }
}

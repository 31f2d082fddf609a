/// Packets that the capturing host dropped, and between which packets of the capture.
package struct CaptureLoss: Hashable, Sendable {
  package var packets: UInt64
  /// The captured packets before and after the loss.
  package var after: PacketRef
  package var before: PacketRef

  package init(packets: UInt64, after: PacketRef, before: PacketRef) {
    self.packets = packets
    self.after = after
    self.before = before
  }

  /// Whether packets between these two may be lost.
  package func touches(_ first: PacketRef, _ last: PacketRef) -> Bool {
    first.number <= before.number && last.number >= after.number
  }
}

/// Packets that the capturing system lost, and between which packets of the capture.
package struct CaptureLoss: Hashable, Sendable {
  package var packets: UInt64
  /// Nothing was lost before this one, as far as this loss goes, and all of it before the other one.
  package var after: PacketRef
  package var before: PacketRef

  package init(packets: UInt64, after: PacketRef, before: PacketRef) {
    self.packets = packets
    self.after = after
    self.before = before
  }

  /// Whether it may have taken something of what lies between two packets.
  package func touches(_ first: PacketRef, _ last: PacketRef) -> Bool {
    first.number <= before.number && last.number >= after.number
  }
}

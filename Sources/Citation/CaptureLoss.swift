/// Packets that were not captured, and between which packets of the capture.
package struct CaptureLoss: Hashable, Sendable {
  /// 0 where nobody counted them.
  package var packets: UInt64
  /// The captured packets before and after the loss.
  package var after: PacketRef
  package var before: PacketRef
  /// What is known of it, as a clause, if no host counted packets.
  package var words: String?

  package init(packets: UInt64, after: PacketRef, before: PacketRef, words: String? = nil) {
    self.packets = packets
    self.after = after
    self.before = before
    self.words = words
  }

  /// Whether packets between these two may be lost.
  package func touches(_ first: PacketRef, _ last: PacketRef) -> Bool {
    first.number <= before.number && last.number >= after.number
  }
}

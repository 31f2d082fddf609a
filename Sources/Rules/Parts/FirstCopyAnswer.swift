import Citation

/// The newest acknowledgement that answered the first copy of what was retransmitted: that copy had arrived, and nothing
/// was lost. Where more is retransmitted right behind it, it answered the one segment only, and what followed was lost.
struct FirstCopyAnswer: Sendable {
  private static let aftermath: Int64 = 1_000_000_000

  private(set) var packet: PacketRef?

  mutating func note(answer packet: PacketRef) { self.packet = packet }

  mutating func note(copy: PacketRef) {
    if let packet, copy.time.since(packet.time) <= Self.aftermath { self.packet = nil }
  }
}

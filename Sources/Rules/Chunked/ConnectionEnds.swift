import Citation
import Events

/// The FIN or RST by which each side ended, once it has: messages know why they have no end, and not in which packet.
struct ConnectionEnds: Sendable {
  private var packets = BothDirections<PacketRef?>(repeating: nil)

  mutating func note(_ end: DirectionEnd, _ direction: Direction, _ packet: PacketRef) {
    guard end == .fin || end == .reset, packets[direction] == nil else { return }
    packets[direction] = packet
  }

  /// The other side had ended before this one did.
  func isSecond(_ direction: Direction) -> Bool {
    guard let own = packets[direction], let other = packets[direction.opposite] else { return false }
    return other.number < own.number
  }

  subscript(_ direction: Direction) -> PacketRef? { packets[direction] }
}

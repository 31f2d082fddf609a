import Events
import Trace

/// The FIN or RST by which each side ended, once it has: messages know why they have no end, and not in which packet.
struct ConnectionEnds: Sendable {
  private var packets = BothDirections<PacketRef?>(repeating: nil)

  mutating func note(_ end: StreamEnd, _ direction: Direction, _ packet: PacketRef) {
    guard end == .fin || end == .reset, packets[direction] == nil else { return }
    packets[direction] = packet
  }

  subscript(_ direction: Direction) -> PacketRef? { packets[direction] }
}

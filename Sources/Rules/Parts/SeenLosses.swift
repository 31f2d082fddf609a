import Citation

/// Where bytes were lost on the way, by whose they were, as packets that show it. Nothing is made before the first.
///
/// Bounded: of each direction the first and the newest.
struct SeenLosses: Sendable {
  private static let limit = 64

  private struct Side: Sendable {
    var first: [PacketRef] = []
    var newest: [PacketRef] = []
  }

  private var sides = Rare<BothDirections<Side>>()

  mutating func note(_ seen: TCPObservation) {
    let direction: Direction
    switch seen.kind {
    case .duplicateAck: direction = seen.direction.opposite
    case .retransmissionFast, .retransmissionTimeout, .retransmissionOfUnseen, .outOfOrder: direction = seen.direction
    default: return
    }
    sides.make(BothDirections(repeating: Side()))
    if sides.value[direction].first.count < Self.limit { return sides.value[direction].first.append(seen.packet) }
    if sides.value[direction].newest.count == Self.limit { sides.value[direction].newest.removeFirst() }
    sides.value[direction].newest.append(seen.packet)
  }

  /// Bytes of a direction were lost from one packet to another.
  func has(_ direction: Direction, from: PacketRef, to: PacketRef) -> Bool {
    guard !sides.isEmpty else { return false }
    let lost = { (packet: PacketRef) in from.number <= packet.number && packet.number <= to.number }
    return sides.value[direction].first.contains(where: lost) || sides.value[direction].newest.contains(where: lost)
  }
}

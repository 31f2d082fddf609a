import Citation

/// Where bytes of one direction were lost on the way, as packets that show it. Bounded: the first and the newest.
struct SeenLosses: Sendable {
  private static let limit = 64

  private var first: [PacketRef] = []
  private var newest: [PacketRef] = []

  /// Whose bytes were lost, where an observation shows that.
  static func direction(of seen: TCPObservation) -> Direction? {
    switch seen.kind {
    case .duplicateAck: seen.direction.opposite
    case .retransmissionFast, .retransmissionTimeout, .retransmissionOfUnseen, .outOfOrder: seen.direction
    default: nil
    }
  }

  mutating func add(_ packet: PacketRef) {
    if first.count < Self.limit { return first.append(packet) }
    if newest.count == Self.limit { newest.removeFirst() }
    newest.append(packet)
  }

  func has(from: PacketRef, to: PacketRef) -> Bool {
    let range = from.number...max(from.number, to.number)
    return first.contains { range.contains($0.number) } || newest.contains { range.contains($0.number) }
  }
}

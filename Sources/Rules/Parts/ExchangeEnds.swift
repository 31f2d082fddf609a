import Citation
import Events

extension ExchangeRecord {
  /// The FIN or RST by which a side had ended when the exchange was over: a message knows why it has no end, and not in
  /// which packet.
  func closing(_ direction: Direction) -> PacketRef? {
    guard let side = end.sides[direction], side.end == .fin || side.end == .reset else { return nil }
    return side.packet
  }

  /// The other side had ended before this one did.
  func endedSecond(_ direction: Direction) -> Bool {
    guard let own = closing(direction), let other = closing(direction.opposite) else { return false }
    return other.number < own.number
  }
}

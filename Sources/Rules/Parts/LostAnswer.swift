import Citation
import Events

/// Bytes of the server that never came to this capture point: a later packet of its own stands behind them.
struct LostAnswer: Sendable {
  /// The packet that shows it.
  let packet: PacketRef
  let bytes: UInt64

  init?(_ seen: TCPObservation) {
    guard seen.kind == .sentUnseen, seen.direction == .toClient else { return nil }
    packet = seen.packet
    bytes = UInt64(seen.range.count)
  }

  var words: String { "the server had sent \(Wording.bytes(bytes)) that never came" }

  var evidence: Evidence { Evidence(.packet(packet, .toClient), "its number stands behind bytes that are not here") }

  static let fix = """
    Network: the answer was lost between the server and this capture point. If short answers come and long ones do not, \
    look for a tunnel whose packets are too large and whose ICMP errors are filtered: clamp the MSS. Capture on the server \
    to see its retransmissions.
    """
}

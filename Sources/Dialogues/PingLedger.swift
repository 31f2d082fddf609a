import Trace

/// Pings of one sender that were not answered yet, oldest first.
///
/// A pong answers the oldest ping with its payload, and with it all before: a peer that has many to answer may answer the
/// last one only (RFC 6455 §5.5.3). Bounded: of a flood the oldest are forgotten.
struct PingLedger: Sendable {
  private struct Ping: Sendable {
    var payload: [UInt8]
    var packet: PacketRef
  }

  private static let limit = 64

  private var open: [Ping] = []

  mutating func note(_ payload: [UInt8], _ packet: PacketRef) {
    if open.count == Self.limit { open.removeFirst() }
    open.append(Ping(payload: payload, packet: packet))
  }

  /// The packet of the ping that a pong answers.
  mutating func answer(_ payload: [UInt8]) -> PacketRef? {
    guard let at = open.firstIndex(where: { $0.payload == payload }) else { return nil }
    defer { open.removeFirst(at + 1) }
    return open[at].packet
  }
}

import Citation
import DNS
import Events

/// What a name server says on a TCP connection to its port, beside whatever else may be spoken there: recognised by the
/// port and by every message, and given up at the first that is none.
///
/// At most `limit` answers of one connection: a flood of them names nothing that matters.
struct NameReader: Sendable {
  static let port: UInt16 = 53
  private static let limit = 4_096

  private var stream = DNSOverTCP()
  private var tokens: [DNSOverTCP.Token] = []
  private var told = 0

  /// Whether there may be more. The answers are reported to nobody in particular: whose connection it is, the lane
  /// knows.
  mutating func consume(_ chunk: borrowing CitedBytes, into events: inout [Event]) -> Bool {
    stream.consume(chunk, into: &tokens)
    defer { tokens.removeAll(keepingCapacity: true) }
    for token in tokens {
      guard case .response(let message, let packet) = token, told < Self.limit else { return false }
      told += 1
      events.append(
        .named(
          NameAnswer(
            packet: packet, client: IPAddress(high: 0, low: 0), name: message.question, addresses: message.addresses,
            code: message.code, timeToLive: message.timeToLive, isPartial: message.isPartial)))
    }
    return true
  }
}

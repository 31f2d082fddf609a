import Citation
import Events
import TLSSemantics

/// Plaintext of early data (RFC 8446 §4.2.10), kept until it is known whether the server takes it: what it throws away
/// the client sends again, and it belongs to no exchange.
struct EarlyData: Sendable {
  /// Several times what servers take; where more comes, all is believed to be taken.
  static let limit = 64 << 10

  enum Fate { case unknown, taken, thrownAway }

  var fate = Fate.unknown
  var chunks: [HeldChunk] = []
  var byteCount = 0
}

extension TLSDialogue {
  /// Whether a record's plaintext is kept for now, or for nobody. Before the client's Finished all of it is early data.
  mutating func keepsEarly(
    _ bytes: Span<UInt8>, of record: TLSRecord, _ direction: Direction, into events: inout [Event]
  ) -> Bool {
    guard direction == client, session.hellos.client?.offersEarlyData ?? false, session.phases.finished[client] == nil
    else { return false }
    guard early.fate == .unknown else { return early.fate == .thrownAway }
    guard bytes.count <= EarlyData.limit - early.byteCount else {
      settleEarlyData(.taken, into: &events)
      return false
    }
    let offset = sides[direction].plaintext &+ UInt64(early.byteCount)
    early.chunks.append(HeldChunk(CitedBytes(bytes, at: offset, in: record.span.first, released: record.released)))
    early.byteCount += bytes.count
    return true
  }

  /// What a message of the handshake says of it: the server's answer, or what the client makes of that.
  mutating func judgeEarlyData(by message: HandshakeMessage, _ direction: Direction, into events: inout [Event]) {
    guard early.fate == .unknown, session.hellos.client?.offersEarlyData ?? false else { return }
    switch message.body {
    case .serverHello(let hello):
      if hello.isHelloRetryRequest || hello.acceptedPreSharedKey == nil { settleEarlyData(.thrownAway, into: &events) }
    case .encryptedExtensions(let extensions):
      settleEarlyData(extensions.acceptsEarlyData ? .taken : .thrownAway, into: &events)
    default:
      guard direction == client else { return }
      // The client marks the end of what was taken, and of nothing else.
      if message.type == .endOfEarlyData { settleEarlyData(.taken, into: &events) }
      if message.type == .finished { settleEarlyData(.thrownAway, into: &events) }
    }
  }

  mutating func settleEarlyData(_ fate: EarlyData.Fate, into events: inout [Event]) {
    guard early.fate == .unknown else { return }
    early.fate = fate
    let chunks = early.chunks
    early.chunks = []
    guard let first = chunks.first, let last = chunks.last else { return }
    if fate == .taken {
      for held in chunks { deliver(held.chunk, client, into: &events) }
    } else if tellsMoments {
      tellMoment("early data, discarded by the server", client, first.packet, last.packet, into: &events)
    }
  }
}

import Citation
import Events
import HTTPSemantics

/// What TCP and HTTP showed of a TLS connection, as far as its rules ask: how each side ended, what held packets up, and
/// of decrypted exchanges the first host, a body that the close ends, and heads apart from their bodies.
///
/// Bounded: the first `limit` of what held packets up; of what comes later, nothing is judged.
struct TLSWatch: Sendable {
  struct Asked: Sendable {
    var exchange: ExchangeRecord
    var head: MessageHead
    /// Of the Host field, without a port; as the client wrote it.
    var host: String
    var field: HeaderField
  }

  struct Ending: Sendable {
    var packet: PacketRef
    var isReset: Bool
  }

  /// Bytes of a direction were lost or could not be sent, from one packet to another.
  private struct Trouble: Sendable {
    var direction: Direction
    var from: UInt64
    var to: UInt64
  }

  struct SplitHead: Sendable {
    var message: Message
    var exchange: Int
    var count: UInt64
  }

  private static let limit = 64
  /// A body that fits into a record with its head.
  private static let oneRecord: UInt64 = 16_000

  private(set) var asked: [Asked] = []
  private(set) var ends = BothDirections<Ending?>(repeating: nil)
  /// The first reset of each side.
  private(set) var resets = BothDirections<PacketRef?>(repeating: nil)
  /// A response whose end was the end of the connection.
  private(set) var closeDelimited: (exchange: Int, last: PacketRef)?
  private(set) var splitHead: SplitHead?
  /// The newest.
  private(set) var lostAnswer: LostAnswer?
  /// The longest pause in which its sender numbered packets that never came this far.
  private(set) var lost: StreamPause?
  private var troubles: [Trouble] = []
  private var isFullSince: UInt64 = .max

  mutating func note(_ seen: TCPObservation) {
    switch seen.kind {
    case .resetOutOfWindow: noteReset(seen)
    case .fin, .reset:
      if seen.kind == .reset { noteReset(seen) }
      if ends[seen.direction] == nil {
        ends[seen.direction] = Ending(packet: seen.packet, isReset: seen.kind == .reset)
      }
    // One that was spurious says that acknowledgements come late.
    case .retransmissionFast, .retransmissionTimeout, .retransmissionSpurious, .retransmission, .retransmissionOfUnseen,
      .outOfOrder, .windowFull:
      add(Trouble(direction: seen.direction, from: (seen.earlier ?? seen.packet).number, to: seen.packet.number))
    case .sentUnseen: lostAnswer = LostAnswer(seen) ?? lostAnswer
    case .zeroWindow:
      add(Trouble(direction: seen.direction.opposite, from: seen.packet.number, to: .max))
    case .windowUpdate:
      guard let open = troubles.lastIndex(where: { $0.direction != seen.direction && $0.to == .max }) else { return }
      troubles[open].to = seen.packet.number
    default: break
    }
  }

  /// By its sender's clock it was the network that held the packets.
  mutating func note(_ pause: StreamPause) {
    if pause.unseen > 0, pause.nanoseconds > lost?.nanoseconds ?? 0 { lost = pause }
    guard pause.underway > 0 else { return }
    add(Trouble(direction: pause.direction, from: pause.from.number, to: pause.to.number))
  }

  private mutating func noteReset(_ seen: TCPObservation) {
    if resets[seen.direction] == nil { resets[seen.direction] = seen.packet }
  }

  private mutating func add(_ trouble: Trouble) {
    if troubles.count < Self.limit {
      troubles.append(trouble)
    } else {
      isFullSince = min(isFullSince, trouble.from)
    }
  }

  /// What travelled in a direction between two packets was held up by the network or the receiver, or may have been.
  func isTroubled(_ direction: Direction, _ from: PacketRef, _ to: PacketRef) -> Bool {
    to.number >= isFullSince
      || troubles.contains { trouble in
        // Copies of the last packet itself come behind it.
        trouble.direction == direction && (trouble.from < to.number || trouble.to == to.number)
          && trouble.to >= from.number
      }
  }

  mutating func note(_ exchange: ExchangeRecord, splitGap: Int64) {
    if asked.isEmpty, let head = exchange.request?.head, head.methodText != "CONNECT",
      let field = head.authority, !field.value.isEmpty
    {
      let value = head.block.text(of: field.value)
      asked.append(Asked(exchange: exchange, head: head, host: HostText.host(of: value), field: field))
    }
    if let response = exchange.response, response.framing == .close, response.bodyBytes > 0, response.status.code > 0 {
      closeDelimited = (exchange.number, response.last)
    }
    for message in exchange.messages where isSplit(message, splitGap) {
      if exchange.isRequest(message), !exchange.interim.isEmpty { continue }
      splitHead = SplitHead(
        message: splitHead?.message ?? message, exchange: splitHead?.exchange ?? exchange.number,
        count: (splitHead?.count ?? 0) + 1)
    }
  }

  /// Its head left first, and the body, which is known and small, so much later.
  private func isSplit(_ message: Message, _ gap: Int64) -> Bool {
    guard message.framing == .length, message.isComplete, message.bodyBytes <= Self.oneRecord,
      let head = message.headReleased, let body = message.firstBody, body.number > head.number
    else { return false }
    return gap..<1_000_000_000 ~= body.time.since(head.time)
  }
}

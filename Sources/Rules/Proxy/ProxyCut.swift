import Citation
import Events
import HTTPSemantics

/// A proxy that ended both sides of a response at about the same time, with the response unfinished on both.
struct ProxyCut: Sendable {
  /// A proxy ends both sides at once.
  static let together: Int64 = 200_000_000
  /// From so long a silence on, a timer for reading is the likely reason.
  static let silence: Int64 = 1_000_000_000

  /// The origin's last bytes, and the proxy's ends of the origin's connection and of the client's.
  let last: PacketRef
  let origins: PacketRef
  let clients: PacketRef
  /// The longest silence of the origin before the last one.
  private let usual: Int64

  init?(_ pair: HopPair) {
    guard let response = pair.outer.exchange.response, let came = pair.inner.exchange.response,
      Self.isCut(response)
    else { return nil }
    let (outer, inner) = (
      pair.outer.context.closing(of: pair.outer.exchange), pair.inner.context.closing(of: pair.inner.exchange)
    )
    guard outer.by == response.direction, inner.by == came.direction.opposite, let end = outer.firstEnd ?? outer.at,
      let gaveUp = inner.firstEnd ?? inner.at, end.time.apart(from: gaveUp.time) <= Self.together,
      Self.isCut(came) || Self.isEndedLate(came, of: pair.inner.exchange, gaveUp) || Self.isLeft(came, gaveUp)
    else { return nil }
    last = came.lastBody ?? came.last
    origins = gaveUp
    clients = end
    usual = came.longestSilence
  }

  var waited: Int64 { origins.time.since(last.time) }
  /// A timer for reading that is as short would have run out before.
  var isAfterSilence: Bool { waited >= Self.silence && waited > usual }

  /// `, 0.490 s after the last of it`, or what came behind the proxy's end.
  var pace: String {
    waited < 0
      ? ", which went on for \(Wording.duration(0 &- waited))" : ", \(Wording.duration(waited)) after the last of it"
  }

  var evidence: [Evidence] {
    [
      Evidence(.packet(last, .toClient), "the origin's last bytes"),
      Evidence(.packet(origins, .toServer), "the proxy ends the origin's connection"),
      Evidence(.packet(clients, .toClient), "and the client's"),
    ]
  }

  /// What an origin says when it is left ends its response too late: so does its FIN, where that ends the body.
  private static func isEndedLate(_ came: Message, of exchange: ExchangeRecord, _ gaveUp: PacketRef) -> Bool {
    guard let end = came.end, end.isCaptured else { return false }
    let packet = came.head?.framing == .close ? exchange.end.sides[came.direction]?.packet : end.packet
    return packet.map { $0.number > gaveUp.number } ?? false
  }

  /// The origin sent nothing more, and did not close either.
  private static func isLeft(_ came: Message, _ gaveUp: PacketRef) -> Bool {
    !came.isComplete && came.end?.isCaptured != false && came.last.number < gaveUp.number
  }

  private static func isCut(_ message: Message) -> Bool {
    guard !message.isComplete, message.end?.isCaptured == true else { return false }
    return message.incomplete?.cause == .fin || message.incomplete?.cause == .reset
  }
}

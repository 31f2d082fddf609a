import Citation
import Events
import HTTPSemantics

/// What rules about the exchanges of a connection need to know of its segments. Bounded.
struct ConnectionStory: Sendable {
  static var interests: EventKinds { .segment | .fin | .gap | .stray | .pause }
  private static let limit = 32

  private(set) var fins = BothDirections<PacketRef?>(repeating: nil)
  /// The newest copy of the server's FIN.
  private(set) var finAgain: PacketRef?
  private(set) var reset: (packet: PacketRef, direction: Direction)?
  /// All that the client sent is known, and was read as requests.
  private(set) var requestsAreKnown = true
  /// The first bytes of the server that cannot begin a response.
  private(set) var foreign: FramingError?
  /// The newest.
  private(set) var lostAnswer: LostAnswer?
  /// What the server retransmitted or sent out of order; the newest.
  private var repeated: [PacketRef] = []
  /// Packets that show why the client could not send: no window, or bytes that were lost. The newest.
  private var hindrances: [PacketRef] = []
  private var forgotten: UInt64 = 0

  mutating func observe(_ event: Event) {
    switch event {
    case .segment(let seen): observe(seen)
    case .gap(let gap, .toServer):
      requestsAreKnown = false
      hinder(gap.packet)
    // Who has bytes on their way may wait for their acknowledgement.
    case .pause(let pause) where pause.direction == .toServer && !pause.isAcknowledged: hinder(pause.to)
    case .stray(.error, .toServer, _): requestsAreKnown = false
    case .stray(.error(let error), .toClient, _): if foreign == nil { foreign = error }
    default: break
    }
  }

  private mutating func observe(_ seen: TCPObservation) {
    switch (seen.kind, seen.direction) {
    case (.fin, let direction): fins[direction] = fins[direction] ?? seen.packet
    case (.retransmission, .toClient) where fins.toClient != nil && seen.range.isEmpty: finAgain = seen.packet
    case (.reset, let direction): reset = (seen.packet, direction)
    case (.sentUnseen, .toClient): lostAnswer = LostAnswer(seen)
    // A segment that was overtaken is there, and a copy that no timer sent is on its way at once: where that one is
    // lost, too, the timer's copy follows.
    case (.zeroWindow, .toClient), (.duplicateAck, .toClient), (.ackOfUnseen, .toClient), (.windowFull, .toServer),
      (.retransmissionFast, .toServer), (.retransmissionTimeout, .toServer), (.retransmissionOfUnseen, .toServer),
      (.zeroWindowProbe, .toServer):
      hinder(seen.packet)
    case (.retransmissionFast, .toClient), (.retransmissionTimeout, .toClient), (.retransmissionOfUnseen, .toClient),
      (.outOfOrder, .toClient):
      if repeated.count == Self.limit { repeated.removeFirst() }
      repeated.append(seen.packet)
    default: break
    }
  }

  private mutating func hinder(_ packet: PacketRef) {
    if hindrances.count == Self.limit { forgotten = hindrances.removeFirst().number }
    hindrances.append(packet)
  }

  /// Nothing kept the client from sending between two packets, as far as is remembered.
  func wasFree(from: PacketRef, to: PacketRef) -> Bool {
    forgotten < from.number && !hindrances.contains { from.number <= $0.number && $0.number <= to.number }
  }

  /// The server sent something again between two packets, as far as is remembered.
  func answersWereLost(from: PacketRef, to: PacketRef) -> Bool {
    repeated.contains { from.number < $0.number && $0.number <= to.number }
  }

  /// The server's reset, where it came after a packet.
  func serverReset(after packet: PacketRef) -> PacketRef? {
    guard let reset, reset.direction == .toClient, reset.packet.number > packet.number else { return nil }
    return reset.packet
  }

  /// The first sign that the server ends the connection, after a packet.
  func serverEnd(after packet: PacketRef) -> PacketRef? {
    if let fin = fins.toClient, fin.number > packet.number { return fin }
    return serverReset(after: packet)
  }
}

extension FlowContext {
  /// How far apart two packets may be and still have crossed on their way.
  var crossing: Int64 { max(roundTrip.total ?? 0, thresholds[.sameMoment]) }
}

extension MessageHead {
  /// It announces that the connection is over after this message.
  var saysClose: Bool { block.contains("close", in: "connection") }
}

extension Threshold {
  static let sameMoment = Threshold(
    "http.same-moment", .nanoseconds, 50_000_000, "packets no further apart, or than a round trip, crossed on their way"
  )
  static let idleReuse = Threshold(
    "http.idle-reuse", .nanoseconds, 1_000_000_000, "a connection silent this long was idle when it was used again")
}

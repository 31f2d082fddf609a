import Citation
import WebSocketSemantics

/// What both sides negotiated for the WebSocket, and how certain it is.
package struct WebSocketOpening: Sendable {
  /// The exchange with the 101; unknown where the capture began later and the frames were recognised by content.
  package var exchangeKey = ExchangeKey(number: 0)
  /// The packet of the 101's first byte, and when its head was complete.
  package var response: PacketRef?
  package var released: PacketRef?
  /// The value of Sec-WebSocket-Key, as received.
  package var key: [UInt8] = []
  /// As the request names it.
  package var version: String?
  package var subprotocol: String?
  /// As the 101 names them.
  package var extensions: String?
  /// Of each sender, where permessage-deflate was agreed.
  package var deflate: BothDirections<DeflateTerms>?
  /// The request came in this direction.
  package var client: Direction = .toServer
  /// Frame bytes of the client that came before the 101 was complete.
  package var early: PacketRef?

  package init() {}

  /// The number of that exchange, where it is known.
  package var exchange: Int? { exchangeKey.isKnown ? exchangeKey.number : nil }
  /// The handshake was not captured.
  package var isMidstream: Bool { !exchangeKey.isKnown }
}

/// Totals of one direction of a WebSocket connection.
package struct WebSocketDirection: Sendable {
  /// By opcode.
  package var frames: [16 of UInt64] = .init(repeating: 0)
  package var text: UInt64 = 0
  package var binary: UInt64 = 0
  /// Payload of messages, on the wire and as applications get it.
  package var wireBytes: UInt64 = 0
  package var bytes: UInt64 = 0
  /// Between the ends of messages.
  package var gaps = ExponentialHistogram()
  package var sizes = ExponentialHistogram()
  package var firstMessage: PacketRef?
  package var lastMessage: PacketRef?
  package var deflate: DeflateFigures?
  /// Its first Close.
  package var close: Frame?
  /// It went on with HTTP where a frame should have begun: this is how that reads as one. Nothing behind it is read.
  package var response: Frame?
  /// Missing bytes ended the parsing of this direction here.
  package var lostAt: PacketRef?
  /// Its last frame of any kind.
  package var last: PacketRef?

  package init() {}

  package var messages: UInt64 { text &+ binary }
}

/// A WebSocket connection, when it is over.
package struct WebSocketRecord: Sendable {
  package var opening: WebSocketOpening
  package var sides = BothDirections(repeating: WebSocketDirection())
  /// From a ping to the pong that answers it, for pings of each direction.
  package var pingRoundTrips = BothDirections(repeating: ExponentialHistogram())
  /// Of the client's first frames, at most `maskLimit`.
  package private(set) var firstMasks: [Mask] = []
  private static let maskLimit = 32
  /// The application protocol, as far as recognised: `graphql-transport-ws`, `socket.io` …
  package var application: String?
  /// The first message that does not fit the subprotocol.
  package var otherApplication: OtherApplication?
  /// The first message with which the server refused something, in the words of what is spoken inside.
  package var refusal: Refusal?
  /// How long a side may be silent, as it said.
  package var promise: Promise?

  package struct Promise: Sendable {
    package var by: Direction
    package var nanoseconds: Int64
    /// `MQTT: one and a half Keep Alive of 5 s`
    package var words: String
    package var packet: PacketRef

    package init(by direction: Direction, nanoseconds: Int64, words: String, packet: PacketRef) {
      self.by = direction
      self.nanoseconds = nanoseconds
      self.words = words
      self.packet = packet
    }
  }

  package struct Mask: Sendable {
    package var key: UInt32
    package var packet: PacketRef
  }

  @inline(__always)
  package mutating func note(mask key: UInt32?, _ packet: PacketRef) {
    if firstMasks.count < Self.maskLimit, let key { firstMasks.append(Mask(key: key, packet: packet)) }
  }

  package struct OtherApplication: Sendable {
    package var name: String
    package var direction: Direction
    package var packet: PacketRef

    package init(name: String, direction: Direction, packet: PacketRef) {
      self.name = name
      self.direction = direction
      self.packet = packet
    }
  }

  package struct Refusal: Sendable {
    /// `an ERROR frame of STOMP`
    package var words: String
    package var packet: PacketRef
    package var count: UInt64 = 1

    package init(words: String, packet: PacketRef) {
      self.words = words
      self.packet = packet
    }
  }

  package init(opening: WebSocketOpening) {
    self.opening = opening
  }
}

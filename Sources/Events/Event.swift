import Citation
// Events is the contract of the upper half: what happened (Event), what rules conclude (Rule, RuleInfo, Finding,
// Evidence, Cost), and what reports receive (ReportItem, ConnectionRecord, CaptureRecord, Summary). It contains
// these types and no logic: Dialogues and the engine fill them, Rules read events and write findings, Reports
// print. Rules and reports see this module and the two vocabularies below it, so that no rule reaches into a parser.
import HTTP2Semantics
import HTTPSemantics
import WebSocketSemantics

/// Something that happened on a connection, or to the capture as a whole.
package enum Event: Sendable {
  case connectionOpened
  case segment(TCPObservation)
  case gap(SequenceGap, Direction)
  case overlapConflict(OverlapConflict, Direction)
  /// A part of a pause inside a body, or in a direction that is not parsed, with its cause. TCP reports the pauses of a
  /// direction; a protocol with flow control reports those of its streams.
  indirect case pause(StreamPause)
  /// No more bytes come in this direction.
  case directionEnded(DirectionEnd, Direction, PacketRef)
  /// A part of a message for the connection's timeline; only reported where one is kept.
  case moment(TimelineEntry)
  /// A piece of a stream is complete; only reported where a consumer wants each of them.
  case piece(Shared<Item>)
  /// A request and its response, when both are over.
  indirect case exchange(ExchangeRecord)
  /// A response of HTTP/1 that is meant to last has begun: an event stream, or what was already sent when the capture
  /// began. For rules of the capture scope only.
  case streamBegan(PacketRef)
  /// A parser's remark between messages; `exchange` is the last one whose request had begun.
  indirect case stray(Stray, Direction, exchange: ExchangeKey)
  /// Both sides speak WebSocket from here on.
  indirect case socketOpened(WebSocketOpening)
  /// A frame of the WebSocket that an exchange opened is over, or will never be; those of one direction in their order.
  indirect case frame(Frame, Direction, ExchangeKey)
  /// The same of frames that need no words: several of both directions, in the order of their ends. Reported before
  /// anything else of the connection that came after the first of them.
  case plainFrames([PlainFrame], ExchangeKey)
  /// A data message is over, or will never be; after its last frame. Not reported of plain ones (see
  /// WebSocketMessage): their frame is enough.
  indirect case socketMessage(WebSocketMessage, ExchangeKey)
  /// A side ended the stream that carries a WebSocket, which is no end of TCP.
  indirect case socketEnded(SideEnd, Direction, ExchangeKey)
  /// Nothing more of the WebSocket comes; before `connectionClosed`.
  indirect case socketClosed(WebSocketRecord)
  /// TLS records begin; the unencrypted part before is over.
  case tlsOpened
  /// Nothing more of the TLS connection comes; before `connectionClosed`.
  indirect case tlsClosed(TLSSession)
  /// A frame of HTTP/2 is complete; not of those that only carry data or go on with a block, and of WINDOW_UPDATE only the
  /// first of a side and what is the last of all frames. With the exchange whose stream it is of.
  indirect case http2Frame(HTTP2Frame, Direction, ExchangeKey?)
  /// A frame or the order of frames is not as it must be.
  indirect case http2Fault(HTTP2Fault, Direction, ExchangeKey?)
  /// The same of what a header block holds.
  indirect case http2BlockFault(HTTP2BlockFault, Direction)
  /// Nothing more of the HTTP/2 connection comes; behind its last exchange.
  indirect case http2Closed(HTTP2Record)
  case connectionClosed(ConnectionEnd)
  /// A name server answered a client; for rules of the capture scope only.
  indirect case named(NameAnswer)
  /// The capture is read to its end; for rules of the capture scope only.
  indirect case captureEnded(CaptureRecord)

  package var kind: EventKinds {
    switch self {
    case .connectionOpened: .connectionOpened
    case .segment(let seen): seen.kind.eventKind
    case .gap: .gap
    case .overlapConflict: .overlapConflict
    case .pause: .pause
    case .directionEnded: .directionEnded
    case .moment, .piece, .streamBegan: []
    case .exchange: .exchange
    case .stray: .stray
    case .socketOpened: .socket
    case .frame, .plainFrames: .frame
    case .socketMessage: .socketMessage
    case .socketClosed, .socketEnded: .socket
    case .tlsOpened, .tlsClosed: .tls
    case .http2Frame, .http2Fault, .http2BlockFault, .http2Closed: .http2
    case .connectionClosed: .connectionClosed
    case .named: .named
    case .captureEnded: .captureEnded
    }
  }
}

extension TCPObservation.Kind {
  fileprivate var eventKind: EventKinds {
    switch self {
    case .syn, .synAck: .handshake
    case .fin: .fin
    default: .segment
    }
  }
}

package enum Stray: Sendable {
  case lenience(Lenience)
  case error(FramingError)
}

/// The kinds of events a rule asks for: the engine builds and hands over no others.
package struct EventKinds: OptionSet, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Asked for every event by every family: the one of SetAlgebra goes through witness tables.
  @inline(__always)
  package func isDisjoint(with other: EventKinds) -> Bool { rawValue & other.rawValue == 0 }

  /// Instead of the literal of an array, which is made while the program runs: what a rule wants is asked for every event.
  @inline(__always)
  package static func | (left: EventKinds, right: EventKinds) -> EventKinds {
    EventKinds(rawValue: left.rawValue | right.rawValue)
  }

  package static var connectionOpened: EventKinds { EventKinds(rawValue: 1 << 0) }
  package static var segment: EventKinds { EventKinds(rawValue: 1 << 1) }
  package static var gap: EventKinds { EventKinds(rawValue: 1 << 2) }
  package static var overlapConflict: EventKinds { EventKinds(rawValue: 1 << 3) }
  package static var directionEnded: EventKinds { EventKinds(rawValue: 1 << 4) }
  package static var connectionClosed: EventKinds { EventKinds(rawValue: 1 << 5) }
  package static var captureEnded: EventKinds { EventKinds(rawValue: 1 << 6) }
  package static var exchange: EventKinds { EventKinds(rawValue: 1 << 7) }
  package static var stray: EventKinds { EventKinds(rawValue: 1 << 8) }
  package static var named: EventKinds { EventKinds(rawValue: 1 << 9) }
  package static var pause: EventKinds { EventKinds(rawValue: 1 << 10) }
  /// The beginning and the end of a WebSocket connection.
  package static var socket: EventKinds { EventKinds(rawValue: 1 << 11) }
  package static var frame: EventKinds { EventKinds(rawValue: 1 << 12) }
  package static var socketMessage: EventKinds { EventKinds(rawValue: 1 << 13) }
  package static var tls: EventKinds { EventKinds(rawValue: 1 << 14) }
  package static var http2: EventKinds { EventKinds(rawValue: 1 << 15) }
  /// A SYN or a SYN-ACK, and a FIN: nearly every connection has them, so they are no `segment`, which few rules would care
  /// for.
  package static var handshake: EventKinds { EventKinds(rawValue: 1 << 16) }
  package static var fin: EventKinds { EventKinds(rawValue: 1 << 17) }

  /// What matters to a rule only after something else did.
  package static var sequels: EventKinds {
    EventKinds(rawValue: handshake.rawValue | directionEnded.rawValue)
  }
}

/// What a rule can see of the connection besides the event.
///
/// A class: it is large, and every closure that reports a finding holds it.
package final class FlowContext: Sendable {
  package let id: FlowID
  package let client: Endpoint
  package let server: Endpoint
  package let firstPacket: PacketRef
  package let isMidstream: Bool
  package let roundTrip: RoundTrip
  package let closing: Ending
  /// Its handshake; passed to the rules over the whole capture when it is over.
  package let opening: ConnectionOpening?
  /// The last bytes sent after a silence, not answered so far.
  package let unanswered: Resumption?
  /// The exchanges are inside TLS.
  package let isSecure: Bool
  /// The connection's number in reports; known to the rules over the whole capture only.
  package let number: Int
  /// The server's name, from the client's requests or from DNS; known to the rules over the whole capture
  /// only.
  package let serverName: ServerName?
  package let thresholds: Thresholds

  package struct ServerName: Sendable {
    package var text: String
    /// The packet of the DNS answer that it is from; nil where the client asked for it.
    package var answer: PacketRef?

    package init(_ text: String, answer: PacketRef?) {
      self.text = text
      self.answer = answer
    }
  }

  package init(
    id: FlowID, client: Endpoint, server: Endpoint, firstPacket: PacketRef, isMidstream: Bool, roundTrip: RoundTrip,
    closing: Ending = Ending(), opening: ConnectionOpening? = nil, unanswered: Resumption? = nil,
    isSecure: Bool = false, number: Int = 0, serverName: ServerName? = nil, thresholds: Thresholds = Thresholds()
  ) {
    self.id = id
    self.client = client
    self.server = server
    self.firstPacket = firstPacket
    self.isMidstream = isMidstream
    self.roundTrip = roundTrip
    self.closing = closing
    self.opening = opening
    self.unanswered = unanswered
    self.isSecure = isSecure
    self.number = number
    self.serverName = serverName
    self.thresholds = thresholds
  }

  /// The same, once the connection has its number.
  package func numbered(_ number: Int) -> FlowContext {
    FlowContext(
      id: id, client: client, server: server, firstPacket: firstPacket, isMidstream: isMidstream, roundTrip: roundTrip,
      closing: closing, opening: opening, unanswered: unanswered, isSecure: isSecure, number: number,
      serverName: serverName,
      thresholds: thresholds)
  }

  package var closedBy: Direction? { closing.by }
  package var closedAt: PacketRef? { closing.at }
  package var firstEnd: PacketRef? { closing.firstEnd }
  package var lastEnd: PacketRef? { closing.lastEnd }
  package var silentSince: PacketRef? { closing.silentSince }
  package var endOrigin: EndOrigin? { closing.origin }
  package var isOneSided: Bool { closing.isOneSided }
}

/// The round trip of the handshake, split at the capture point.
package struct RoundTrip: Sendable, Equatable {
  package var clientNanoseconds: Int64?
  package var serverNanoseconds: Int64?
  /// From the first of several SYNs to the answer: no round trip is longer, where none is known.
  package var openingNanoseconds: Int64

  package init(clientNanoseconds: Int64? = nil, serverNanoseconds: Int64? = nil, openingNanoseconds: Int64 = 0) {
    self.clientNanoseconds = clientNanoseconds
    self.serverNanoseconds = serverNanoseconds
    self.openingNanoseconds = openingNanoseconds
  }

  /// One half of it, at least.
  package var isKnown: Bool { clientNanoseconds != nil || serverNanoseconds != nil }

  /// Both halves together, where both are known.
  package var total: Int64? {
    guard let clientNanoseconds, let serverNanoseconds else { return nil }
    return clientNanoseconds &+ serverNanoseconds
  }

  /// Where the packets were captured. One side's answers come a tenth as late as the other's, or there is no way to
  /// know: on loopback both are near.
  package var vantage: Vantage? {
    guard let client = clientNanoseconds, let server = serverNanoseconds else { return nil }
    if max(client, server) < 200_000 { return nil }
    if client < server / 10 { return .client }
    if server < client / 10 { return .server }
    return .middle
  }
}

package enum Vantage: String, Sendable, Comparable {
  case client, middle, server
  package static func < (left: Vantage, right: Vantage) -> Bool { left.rawValue < right.rawValue }
}

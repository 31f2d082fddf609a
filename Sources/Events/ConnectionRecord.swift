import Citation

package struct ConnectionEnd: Sendable, Equatable {
  /// The word of comparisons for an unknown end.
  package static let stillOpen = "still open"

  package enum Kind: String, Sendable { case fin, reset, open, evicted }
  package enum Side: String, Sendable { case client, server, both, none }

  package var kind: Kind
  package var by: Side
  package var packet: PacketRef?
  /// The first FIN or RST, which a later reset may have outdone.
  package var first: PacketRef?
  /// It was the other side's than that of `packet`.
  package var isFirstByOther = false
  /// Whether the packet looks like its sender's others; nil if there is nothing to compare with.
  package var origin: EndOrigin?
  /// The other side has not closed, nor sent anything since.
  package var isUnanswered = false
  /// The FIN of the other side, where it came behind this one with nothing else between.
  package var answer: PacketRef?

  package init(kind: Kind, by: Side, packet: PacketRef?) {
    self.kind = kind
    self.by = by
    self.packet = packet
  }
}

/// The figures of one direction.
package struct DirectionRecord: Sendable, Equatable {
  package var packets: UInt64 = 0
  /// In-order stream bytes seen, each once.
  package var bytes: UInt64 = 0
  package var retransmittedBytes: UInt64 = 0
  package var outOfOrder: UInt64 = 0
  package var missingBytes: UInt64 = 0
  package var overlapConflicts: UInt64 = 0
  package var duplicatePackets: UInt64 = 0
  package var sha256: [UInt8]?
  /// Inside bodies; of what is not HTTP, between any two packets.
  package var silence = SilenceSums()

  package init() {}
}

/// A connection as reports show it, complete when it is handed over.
package struct ConnectionRecord: Sendable {
  package var id: FlowID
  /// From 1, in the order of first packets; set by the merger.
  package var number = 0
  package var client: Endpoint
  package var server: Endpoint
  /// The requested Host, and the User-Agent and Server fields.
  package var serverName: String?
  /// The packet of the DNS answer that the server's name is from, where no Host field gives one.
  package var namedBy: PacketRef?
  package var clientAgent: String?
  package var serverAgent: String?
  package var exchanges: UInt64 = 0
  /// Exchanges left out by a condition or a time range.
  package var exchangesLeftOut: UInt64 = 0
  package var isMidstream: Bool
  /// Packets were captured in one direction only.
  package var isOneSided: Bool
  package var firstPacket: PacketRef
  package var lastPacket: PacketRef
  package var roundTrip: RoundTrip
  package var opening: ConnectionOpening?
  package var end: ConnectionEnd
  package var sides: BothDirections<DirectionRecord>
  /// Innermost to outermost, as probes recognised them.
  package var protocols: [String] = []
  /// Encapsulation of the packets.
  package var encapsulation: [String] = []
  package var timeline: [TimelineEntry] = []
  package var timelineCuts: [TimelineCut] = []
  /// Entries that the timeline left out.
  package var timelineCut: UInt64 { timelineCuts.reduce(0) { $0 &+ $1.entries } }
  /// Pauses with their causes; the first ones.
  package var pauses: [StreamPause] = []
  /// In the order in which they ended; at most `socketLimit`.
  package var sockets: [WebSocketRecord] = []
  package static let socketLimit = 64
  @Rare package var tls: TLSSession?
  @Rare package var http2: HTTP2Record?
  /// Whether it has a diagnosis.
  package var isHurt = false

  package init(
    id: FlowID, client: Endpoint, server: Endpoint, isMidstream: Bool, isOneSided: Bool, firstPacket: PacketRef,
    lastPacket: PacketRef, roundTrip: RoundTrip, end: ConnectionEnd, sides: BothDirections<DirectionRecord>
  ) {
    self.id = id
    self.client = client
    self.server = server
    self.isMidstream = isMidstream
    self.isOneSided = isOneSided
    self.firstPacket = firstPacket
    self.lastPacket = lastPacket
    self.roundTrip = roundTrip
    self.end = end
    self.sides = sides
  }

  /// The first of them: a connection of HTTP/1 has no other.
  package var webSocket: WebSocketRecord? { sockets.first }
  package var isSecure: Bool { !_tls.isEmpty }

  package var missingBytes: UInt64 { sides.toServer.missingBytes &+ sides.toClient.missingBytes }
  package var duration: Int64 { lastPacket.time.since(firstPacket.time) }
}

/// One entry of a connection's timeline.
package struct TimelineEntry: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A run of data in one direction with no pause worth a line.
    case data
    case observation(TCPObservation.Kind)
    case gap(SequenceGap.Cause)
    case conflict
    /// The head of a message; `label` is its start line.
    case head
    /// Body bytes without chunks.
    case body
    /// Data of chunks; `value` counts those that ended.
    case chunks
    /// The line of size zero, and what came with it.
    case lastChunk
    /// Messages and control frames of a WebSocket connection; `label` is their kind, and `value` how many came at once.
    case message
    /// A step of a TLS handshake, or an alert; `label` says which.
    case handshake
    /// Records of application data that were not decrypted; `value` counts them.
    case records
    /// Bytes that are not HTTP, on a connection that used HTTP.
    case unreadable
  }

  package var kind: Kind
  package var direction: Direction?
  package var first: PacketRef
  package var last: PacketRef
  package var packets: UInt32 = 1
  package var bytes: UInt64 = 0
  /// A figure whose meaning the kind gives.
  package var value: UInt64 = 0
  package var earlier: PacketRef?
  /// The exchange whose message this is a part of; 0 where it is of none.
  package var exchange = 0
  package var label = ""
  /// Text of a side after the label: payload, which reports redact.
  package var quote: [UInt8] = []

  package init(_ kind: Kind, _ direction: Direction?, _ packet: PacketRef, bytes: UInt64 = 0) {
    self.kind = kind
    self.direction = direction
    self.first = packet
    self.last = packet
    self.bytes = bytes
  }
}

/// Where a timeline left entries out.
package struct TimelineCut: Sendable, Equatable {
  package var entries: UInt64 = 0
  /// The first packet of the entry that follows.
  package var packet: UInt64 = 0
  /// Body bytes in them, of the last body that they are a part of.
  package var bytes: UInt64 = 0
  package var exchange = 0
  package var direction: Direction?

  package init() {}
}

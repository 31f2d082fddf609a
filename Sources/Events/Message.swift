import Citation
import HTTPSemantics

/// One HTTP message from its first byte to its last, or as far as it got: an unfinished message is a message, too.
package struct MessageRecord: Sendable {
  /// The packet at which the body reached a number of bytes.
  package struct Milestone: Sendable, Equatable {
    package var bytes: UInt64
    package var packet: PacketRef

    package init(bytes: UInt64, packet: PacketRef) {
      self.bytes = bytes
      self.packet = packet
    }
  }

  /// A pause inside a body, between the packets of two of its bytes.
  package struct Pause: Sendable, Equatable {
    package var from: PacketRef
    package var to: PacketRef

    package init(from: PacketRef, to: PacketRef) {
      self.from = from
      self.to = to
    }

    @inlinable @inline(__always)
    package var nanoseconds: Int64 { to.time.since(from.time) }
  }

  /// The slowest part of a body among all of one length: its bytes, framing included, and the packets of the body
  /// around it.
  package struct SlowWindow: Sendable, Equatable {
    package var nanoseconds: Int64
    package var bytes: UInt64
    package var from: PacketRef
    package var to: PacketRef

    package init(nanoseconds: Int64, bytes: UInt64, from: PacketRef, to: PacketRef) {
      self.nanoseconds = nanoseconds
      self.bytes = bytes
      self.from = from
      self.to = to
    }
  }

  /// What client families wait for before they hand a body over; see ClientHold.
  package static var firstMilestone: UInt64 { 1 }
  package static let milestones: [UInt64] = [firstMilestone, 8, 42, 256, 300, 512, 1_024, 1_445]
  /// How many leniences and errors are kept per message.
  package static let noteLimit = 32
  /// Shorter pauses between two packets of a body are normal for a network.
  package static let gapFrom: Int64 = 10_000_000
  /// Packets of a body further apart than this belong to two bursts.
  package static let burstGap: Int64 = 5_000_000
  /// How many bursts are kept per body.
  package static let burstLimit = 64
  /// How many bytes of a body are kept, to recognise its type.
  package static let openingLimit = 64
  /// How many delayed writes are kept per message.
  package static let heldWriteLimit = 32
  /// How many pauses with causes are kept per message.
  package static let stallLimit = 32

  // First what each piece of a body changes, so that it stands together.

  package var bodyBytes: UInt64 = 0
  package var lastBody: PacketRef?
  package var last: PacketRef
  package var firstBody: PacketRef?
  package var longestPause: Pause?
  /// Pauses of 200 ms and more inside the body: with one or more, the body came in several bursts.
  package var pauses = 0
  /// Body bytes at the end of each burst but the last, and the packet that ended it; the first ones. Most bodies come in
  /// one.
  package var earlierBursts: [Milestone] = []
  /// Pauses of `gapFrom` and more; allocated at the first one.
  package var gaps: ExponentialHistogram?
  @Rare package var chunks: ChunkRecord?
  /// How far the body was with its first packet, and the milestones behind that.
  package var firstReach: UInt64 = 0
  package var reached: [Milestone] = []
  /// The frames that carried the body, from HTTP/2 on.
  package var dataFrames = DataFrames()

  package var direction: Direction
  package var head: MessageHead?
  /// Its head was sent before the capture began: how the body is framed of which the rest is here.
  package var joined: Framing?
  package var first: PacketRef
  /// The packet that completed the head.
  package var headReleased: PacketRef?
  package var end: MessageEnd?
  /// The first bytes of the body, chunk framing removed. They are payload: reports redact them.
  package var opening: [UInt8] = []
  package var trailers: HeaderBlock?
  @Rare package var content: ContentRecord?
  /// Of the body, chunk framing removed; if requested and the body is complete.
  package var sha256: [UInt8]?
  /// If captures are compared.
  @Rare package var trail: BodyTrail?
  package var leniences: [Lenience] = []
  package var errors: [FramingError] = []
  /// The body, without its framing, parses as chunks again: only checked where it is chunked or ends with the
  /// connection, and nil as soon as a byte does not fit.
  @Rare package var innerChunks: InnerChunks?
  /// The longest pause between two chunks that split one event of an event stream, or one line of JSON.
  package var splitEvent: Pause?
  /// Its items, if the body is read item by item.
  @Rare package var stream: ItemRecord?
  /// Segments of a chunked message that waited for an acknowledgement; the first ones.
  package var heldWrites: [HeldWrite] = []
  /// Of 5 s and of 20 s, where the body lasted as long; of requests only.
  package var slowWindows: [SlowWindow] = []
  /// The parts of a multipart body, if they were parsed.
  @Rare package var multipart: MultipartRecord?
  /// Why the body was silent, added up, and the first pauses.
  package var silence = SilenceSums()
  package var stalls: [StreamPause] = []

  package init(direction: Direction, first: PacketRef) {
    self.direction = direction
    self.first = first
    self.last = first
  }

  // Inline, or the whole record is copied for each look.

  /// `stream` is not nil: asked for every message, where a copy of it is large.
  @inline(__always)
  package var isReadByItem: Bool { !_stream.isEmpty }
  /// What its items are.
  @inline(__always)
  package var itemKind: ItemRecord.Kind? { _stream.isEmpty ? nil : _stream.value.kind }
  /// Changes what is known of chunks in its place: from another module `$chunks` is taken out and put back, and so copied.
  /// Only asked of a chunked message.
  package mutating func changeChunks(_ change: (inout ChunkRecord) -> Void) { change(&_chunks.value) }
  /// The same of `chunks` and of `multipart`.
  @inline(__always)
  package var isChunked: Bool { !_chunks.isEmpty }
  @inline(__always)
  package var hasInnerChunks: Bool { !_innerChunks.isEmpty }
  @inline(__always)
  package var isCoded: Bool { !_content.isEmpty }
  @inline(__always)
  package var isReadByPart: Bool { !_multipart.isEmpty }
  @inline(__always)
  package var isComplete: Bool { end?.isComplete ?? false }
  @inline(__always)
  package var framing: Framing { head?.framing ?? .none }
  @inline(__always)
  package var status: Status { head?.status ?? .none }
  /// It came in at least two bursts.
  @inline(__always)
  package var isDrip: Bool { pauses > 0 }

  /// The packet at which the body had `bytes` bytes, which is one of `milestones`; nil when it never had.
  package func reached(_ bytes: UInt64) -> PacketRef? {
    bytes <= firstReach ? firstBody : reached.first { $0.bytes == bytes }?.packet
  }

  /// Of a message that is over: body bytes at the end of each burst, and the packet that ended it; the first ones.
  package var bursts: [Milestone] {
    guard let lastBody, earlierBursts.count < Self.burstLimit else { return earlierBursts }
    return earlierBursts + [Milestone(bytes: bodyBytes, packet: lastBody)]
  }

  package func lenience(_ kind: Lenience.Kind) -> Lenience? { leniences.first { $0.kind == kind } }
  package func error(_ kind: FramingError.Kind) -> FramingError? { errors.first { $0.kind == kind } }

  /// Why it is incomplete; nil if it is complete or still going on.
  package var incomplete: Incomplete? {
    if case .incomplete(let incomplete) = end?.outcome { incomplete } else { nil }
  }
}

/// The frames that carried a body.
package struct DataFrames: Sendable, Equatable {
  package var count: UInt64 = 0
  /// Bytes that hide the body's length.
  package var padding: UInt64 = 0
  /// Those with content, those of them with less than 64 bytes, and those in the packet of the one before.
  package var full: UInt64 = 0
  package var tiny: UInt64 = 0
  package var joined: UInt64 = 0
  /// The packets of the first and the last with content.
  package var first: PacketRef?
  package var last: PacketRef?

  package init() {}

  package mutating func add(_ bytes: UInt32, padding: UInt32, _ packet: PacketRef) {
    count &+= 1
    self.padding &+= UInt64(padding)
    guard bytes > 0 else { return }
    full &+= 1
    if bytes < 64 { tiny &+= 1 }
    if let last, last.number == packet.number { joined &+= 1 }
    if first == nil { first = packet }
    last = packet
  }
}

/// Chunk sizes and how they were written to the wire, in sum.
package struct ChunkRecord: Sendable, Equatable {
  package var count: UInt64 = 0
  package var smallest: UInt64 = .max
  package var largest: UInt64 = 0
  /// Those of less than 32 bytes.
  package var tiny: UInt64 = 0
  /// Those whose size line, data and line end did not come in one packet each way.
  package var split: UInt64 = 0
  /// Size lines and line ends, in bytes.
  package var framing: UInt64 = 0
  package var last: PacketRef?
  package var first: PacketRef?
  /// While chunks come: the wait for the line end of the last one, where it was one.
  package var openEnd: MessageRecord.Pause?
  /// The line of size zero.
  package var terminator: ByteSpan?
  package var firstSplit: SplitChunk?
  /// Those whose line end came only with the next size line, 10 ms after the data or more, and the longest such wait.
  package var heldEnds: UInt64 = 0
  package var heldEnd: MessageRecord.Pause?
  package var mismatch: ChunkMismatch?

  package init() {}
}

/// The outcome of decoding a body with a content coding.
package struct ContentRecord: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    case decoded
    /// The compressed stream has no end, although the body is complete.
    case cut
    /// Invalid compressed data; the packet that carried it.
    case broken(String, PacketRef)
    /// The expansion ratio was so high that decoding was stopped; at this packet.
    case inflationStopped(ratio: UInt64, PacketRef)
    /// More than this program decodes of one message.
    case limitReached
    /// The coding is not known, or the program was built without its library.
    case notDecoded(String)
    /// The body itself is incomplete.
    case undecided
  }

  /// As named by the field.
  package var codings: String
  /// After decoding, as far as decoded.
  package var bytes: UInt64 = 0
  package var outcome = Outcome.undecided
  /// `deflate` without the zlib wrapper that the name stands for.
  package var isRawDeflate = false
  /// Bytes after the end of the compressed stream.
  package var trailingBytes: UInt64 = 0

  package init(codings: String) {
    self.codings = codings
  }
}

/// A finished message, shared by all rules and reports without copying.
///
/// Its properties are the record's, one by one: looked up by key path they took a tenth of a run.
package final class Message: Sendable, CustomStringConvertible {
  package typealias Pause = MessageRecord.Pause
  package typealias Milestone = MessageRecord.Milestone

  package let record: MessageRecord
  /// In memory, about.
  package let heldBytes: Int

  package init(_ record: MessageRecord, heldBytes: Int = 4 << 10) {
    self.record = record
    self.heldBytes = heldBytes
  }

  package var direction: Direction { record.direction }
  package var head: MessageHead? { record.head }
  package var joined: Framing? { record.joined }
  package var first: PacketRef { record.first }
  package var headReleased: PacketRef? { record.headReleased }
  package var last: PacketRef { record.last }
  package var firstBody: PacketRef? { record.firstBody }
  package var lastBody: PacketRef? { record.lastBody }
  package var end: MessageEnd? { record.end }
  package var bodyBytes: UInt64 { record.bodyBytes }
  package var opening: [UInt8] { record.opening }
  package var chunks: ChunkRecord? { record.chunks }
  package var trailers: HeaderBlock? { record.trailers }
  package var content: ContentRecord? { record.content }
  package var sha256: [UInt8]? { record.sha256 }
  package var trail: BodyTrail? { record.trail }
  package var leniences: [Lenience] { record.leniences }
  package var errors: [FramingError] { record.errors }
  package var longestPause: Pause? { record.longestPause }
  package var bursts: [Milestone] { record.bursts }
  package var gaps: ExponentialHistogram? { record.gaps }
  package var innerChunks: InnerChunks? { record.innerChunks }
  package var splitEvent: Pause? { record.splitEvent }
  package var stream: ItemRecord? { record.stream }
  package var isReadByItem: Bool { record.isReadByItem }
  package var itemKind: ItemRecord.Kind? { record.itemKind }
  package var isChunked: Bool { record.isChunked }
  package var hasInnerChunks: Bool { record.hasInnerChunks }
  package var isCoded: Bool { record.isCoded }
  package var isReadByPart: Bool { record.isReadByPart }
  package var heldWrites: [HeldWrite] { record.heldWrites }
  package var slowWindows: [MessageRecord.SlowWindow] { record.slowWindows }
  package var multipart: MultipartRecord? { record.multipart }
  package var dataFrames: DataFrames { record.dataFrames }
  package var silence: SilenceSums { record.silence }
  package var stalls: [StreamPause] { record.stalls }
  package var pauses: Int { record.pauses }
  package var isComplete: Bool { record.isComplete }
  package var framing: Framing { record.framing }
  package var status: Status { record.status }
  package var isDrip: Bool { record.isDrip }
  package var incomplete: Incomplete? { record.incomplete }

  package func reached(_ bytes: UInt64) -> PacketRef? { record.reached(bytes) }
  package func lenience(_ kind: Lenience.Kind) -> Lenience? { record.lenience(kind) }
  package func error(_ kind: FramingError.Kind) -> FramingError? { record.error(kind) }

  package var description: String { String(describing: record) }
}

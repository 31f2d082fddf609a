import Citation
import EventStream
import Events
import HTTPSemantics
import LLM

/// Reads the events or lines of one response, or the messages of one side of a call of gRPC, while the body arrives, and
/// keeps when they came.
struct ItemReader: Sendable {
  enum Kind {
    case events, lines, messages
    /// Not known yet.
    case undecided
  }

  /// A shorter wait for an item's end is how networks are.
  static let holdFrom: Int64 = 10_000_000

  /// Which of them reads. Side by side and not in an enum, where each call would copy them out and in.
  var kind: Kind
  private let isChunked: Bool
  var isSplit = false
  /// It turned out not to be a stream, or cannot be read any further.
  private(set) var isOver = false
  var tokens: [EventStreamToken] = []
  var lineTokens: [JSONLineToken] = []
  /// Where each event and line is told.
  var pieces = Rare<PieceReader>()
  /// While it may be the answer of a language model.
  private var answer = Rare<AnswerBuilder>()
  private var offset: UInt64 = 0
  var packet = PacketRef.none
  private var burstBytes: UInt64 = 0
  var burstItems: UInt64 = 0
  private var burstOut: UInt64 = 0
  var chunkItems: UInt64 = 0
  var segmentItems: UInt64 = 0
  /// The end of the item before and, where it was late, since when it was awaited.
  var before: (last: PacketRef, completed: PacketRef)?
  private var events: EventStreamParser
  var record: ItemRecord
  private var lines: JSONLineParser
  private var calls = Rare<GRPCReader>()
  var lastComment: PacketRef?
  /// The first bytes of the content, and their packet, while the kind is undecided.
  private var opening: [UInt8] = []
  private var openingPacket = PacketRef.none
  /// The same of a body whose head was not captured.
  private var joined = Rare<JoinedOpening>()

  /// Whether a body of a type has items: not that of a response of another type, unless events were asked for and it may
  /// hold some; and not that of a request that is no call.
  static func reads(_ head: MessageHead, _ type: ItemType?, expectsEvents: Bool) -> Bool {
    switch type {
    case .messages?: return true
    case .events?, .lines?:
      if case .response = head.line { return true }
    case nil: break
    }
    return expectsEvents && head.status.code == 200
  }

  /// Of a body that it reads.
  init(_ head: MessageHead, _ type: ItemType?, _ options: PieceOptions, _ direction: Direction) {
    let isResponse = if case .response = head.line { true } else { false }
    switch type {
    case .messages?:
      kind = .messages
      record = ItemRecord(.grpc)
      calls = Rare(GRPCReader(head.block.grpcType, keepingData: options.previewLimit))
    case .events? where isResponse:
      kind = .events
      record = ItemRecord(.sse)
    case .lines? where isResponse:
      kind = .lines
      record = ItemRecord(.ndjson)
    default:
      kind = .undecided
      record = ItemRecord(.sse)
      record.isDeclared = false
    }
    isChunked = head.framing == .chunked
    events = EventStreamParser(keepingData: options.previewLimit)
    lines = JSONLineParser(keepingData: options.previewLimit)
    if kind != .messages { answer = Rare(AnswerBuilder(kind == .lines ? .lines : .events)) }
    if options.isTold { pieces = Rare(PieceReader(direction, previewLimit: options.previewLimit)) }
  }

  /// Of a body whose head was not captured: what its items are is for itself to show.
  init(joinedChunks isChunked: Bool, _ options: PieceOptions, _ direction: Direction) {
    kind = .undecided
    record = ItemRecord(.sse)
    record.isDeclared = false
    self.isChunked = isChunked
    joined = Rare(JoinedOpening())
    events = EventStreamParser(keepingData: options.previewLimit)
    lines = JSONLineParser(keepingData: options.previewLimit)
    if options.isTold { pieces = Rare(PieceReader(direction, previewLimit: options.previewLimit)) }
  }

  /// What its items are, once it is known.
  var type: ItemType? {
    switch kind {
    case .events: .events
    case .lines: isOver ? nil : .lines
    case .messages: .messages
    case .undecided: nil
    }
  }

  @inline(__always)
  mutating func tellPieces(of exchange: ExchangeKey, into events: inout [Event]) {
    if !pieces.isEmpty { pieces.value.tell(of: exchange, into: &events) }
  }

  /// Its type says that it is a stream.
  var isDeclared: Bool { record.isDeclared }

  /// So many bytes of the body came, as they are on the wire.
  mutating func begin(_ count: Int, in packet: PacketRef) {
    guard !isOver, count > 0 else { return }
    if self.packet.number == 0 {
      record.bursts.count = 1
    } else if packet.number != self.packet.number {
      record.perSegment.add(segmentItems)
      segmentItems = 0
      if packet.time.since(self.packet.time) >= ItemRecord.Bursts.pause { endBurst() }
    }
    if !isChunked, packet.number != self.packet.number { note(piece: packet) }
    self.packet = packet
    burstBytes &+= UInt64(truncatingIfNeeded: count)
  }

  private mutating func endBurst() {
    record.bursts.end(burstBytes, insideItem: !isAtEdge, silent: burstOut == 0)
    record.bursts.mostItems = max(record.bursts.mostItems, burstItems)
    record.bursts.count += 1
    (burstBytes, burstItems, burstOut) = (0, 0, 0)
  }

  @inline(__always)
  private var isAtEdge: Bool {
    switch kind {
    case .events: events.isAtEdge
    case .lines: lines.isAtEdge
    case .messages: calls.value.isAtEdge
    case .undecided: true
    }
  }

  private mutating func note(piece packet: PacketRef) {
    if let last = record.lastPiece { record.gaps.add(packet.time.since(last.time)) }
    if record.firstPiece == nil { record.firstPiece = packet }
    record.lastPiece = packet
    record.pieces += 1
  }

  mutating func end(_ chunk: Chunk) {
    guard !isOver else { return }
    note(piece: chunk.dataLast)
    record.perChunk.add(chunkItems)
    chunkItems = 0
    if !isAtEdge { isSplit = true }
  }

  /// Takes content, its coding undone.
  mutating func read(_ bytes: Span<UInt8>, in packet: PacketRef) {
    guard !isOver, bytes.count > 0 else { return }
    burstOut &+= UInt64(truncatingIfNeeded: bytes.count)
    if kind == .undecided {
      if !joined.isEmpty { return join(bytes, packet) }
      if openingPacket.number == 0 { openingPacket = packet }
      let held = opening.count
      for index in 0..<min(bytes.count, EventOpening.limit - held) { opening.append(bytes[index]) }
      guard let isAlike = EventOpening.isAlike(opening) else { return }
      guard isAlike else { return end() }
      kind = .events
      // What was held came before these bytes, all of it in them but for a few.
      let before = opening
      opening = []
      if held > 0 { feed(before.span.extracting(0..<held), openingPacket) }
    }
    feed(bytes, packet)
  }

  private mutating func join(_ bytes: Span<UInt8>, _ packet: PacketRef) {
    switch joined.value.take(bytes, in: packet, isFramed: isChunked) {
    case .undecided: return
    case .none: return end()
    case .items(.events, let from): begin(.events, from: from)
    case .items(.lines, let from):
      record.kind = .ndjson
      begin(.lines, from: from)
    case .items(.messages, _): return end()
    }
  }

  private mutating func begin(_ kind: Kind, from start: Int) {
    self.kind = kind
    answer = Rare(AnswerBuilder(kind == .lines ? .lines : .events))
    let opening = joined.value
    joined.remove()
    opening.read(from: start) { feed($0, $1) }
  }

  mutating func end() {
    isOver = true
    opening = []
    joined.remove()
    kind = .lines
  }

  private mutating func feed(_ bytes: Span<UInt8>, _ packet: PacketRef) {
    if kind == .messages { return feed(messages: bytes, packet) }
    let chunk = CitedBytes(bytes, at: offset, in: packet, released: packet)
    if !answer.isEmpty {
      answer.value.read(chunk)
      if answer.value.isOver { answer.remove() }
    }
    offset &+= UInt64(truncatingIfNeeded: bytes.count)
    switch kind {
    case .events:
      events.consume(chunk, into: &tokens)
      takeTokens()
    case .lines:
      lines.consume(chunk, into: &lineTokens)
      takeLines()
    case .messages, .undecided: break
    }
  }

  private mutating func feed(messages bytes: Span<UInt8>, _ packet: PacketRef) {
    var position = 0
    while let message = calls.value.next(in: bytes, at: &position, packet) {
      take(message.first, packet, packet)
      if record.firstData == nil { record.firstData = packet }
      if !pieces.isEmpty {
        tell(
          .grpc, message.first, packet, message.length, calls.value.lastData,
          label: message.isCompressed ? Array("compressed".utf8) : [])
      }
    }
  }

  /// Bytes of the body are not there. What is compressed cannot be read any further.
  mutating func skip(isCoded: Bool) {
    guard !isOver else { return }
    if !answer.isEmpty { answer.value.skip(at: offset) }
    if isCoded, kind != .messages { return end() }
    switch kind {
    case .events:
      events.skip(gap: offset..<offset &+ 1, into: &tokens)
      takeTokens()
    case .lines:
      lines.skip(gap: offset..<offset &+ 1, into: &lineTokens)
      takeLines()
    case .messages: calls.value.miss()
    case .undecided: end()
    }
    offset &+= 1
    before = nil
    isSplit = false
  }

  /// What it was, once the body is over; nil where it was none.
  mutating func finish() -> ItemRecord? {
    if kind == .undecided { return nil }
    if isOver, !record.isDeclared { return nil }
    switch kind {
    case .events:
      events.finish(.fin, into: &tokens)
      record.lastID = events.lastID
      takeTokens()
    case .messages: record.call = calls.value.finish()
    case .lines where !isOver:
      lines.finish(.fin, into: &lineTokens)
      takeLines()
    case .lines, .undecided: break
    }
    record.perSegment.add(segmentItems)
    if isChunked { record.perChunk.add(chunkItems) }
    record.bursts.mostItems = max(record.bursts.mostItems, burstItems)
    if !answer.isEmpty { record.answer = answer.value.finish() }
    return record
  }
}

extension Optional where Wrapped == MessageRecord.Pause {
  /// Keeps the longer one, where it lasted at all.
  mutating func widen(_ from: PacketRef, _ to: PacketRef) {
    let length = to.time.since(from.time)
    if length > self?.nanoseconds ?? 0 { self = MessageRecord.Pause(from: from, to: to) }
  }
}

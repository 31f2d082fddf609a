import Citation

/// The items of a streamed body: their times, and how they were distributed over chunks, segments and bursts.
///
/// Events, lines and messages of gRPC are all called items here. An item arrives with the packet that completed it; of a
/// compressed body, at the packet of the compressed bytes that it came out of.
package struct ItemRecord: Sendable {
  package enum Kind: String, Sendable {
    case sse, ndjson
    /// Messages of a call of gRPC, in either direction.
    case grpc
    /// Chunks whose content is not parsed.
    case chunked

    /// What one of its items is.
    package var item: String {
      switch self {
      case .sse: "event"
      case .ndjson: "line"
      case .grpc: "message"
      case .chunked: "chunk"
      }
    }

    /// `an event`, `a line`
    package var oneItem: String { self == .sse ? "an event" : "a \(item)" }
  }

  /// How many items came in one unit of transport.
  package struct Density: Sendable, Equatable {
    /// Units that completed at least one item.
    package var units: UInt64 = 0
    package var most: UInt64 = 0

    package init() {}

    package mutating func add(_ items: UInt64) {
      guard items > 0 else { return }
      units += 1
      most = max(most, items)
    }
  }

  /// Runs of body bytes without a pause of 200 ms in them. All figures but `count` cover bursts ended by a pause, not
  /// the last one.
  package struct Bursts: Sendable, Equatable {
    package static let pause: Int64 = 200_000_000
    /// Usual sizes of output buffers that programs flush when full.
    package static let blocks: [UInt64] = [4_096, 8_192, 16_384, 32_768]
    /// How much of a block a proxy's own framing may take.
    package static let slack: UInt64 = 16
    /// gzip begins with 10 bytes, and an empty block takes 5.
    private static let beginning: UInt64 = 32

    package var count: UInt64 = 0
    package var ended: UInt64 = 0
    /// They ended in the middle of an item.
    package var insideItem: UInt64 = 0
    /// Their content had been held back by the compressor.
    package var silent: UInt64 = 0
    /// They were no more than the beginning of the compressed format, and an empty flush perhaps.
    package var begun: UInt64 = 0
    /// The most items that one of them completed, the last one too.
    package var mostItems: UInt64 = 0
    package var smallest: UInt64 = .max
    package var largest: UInt64 = 0
    /// Bit n is set while all are multiples of `blocks[n]`.
    package var multiples: UInt8 = 0x0F

    package init() {}

    /// The largest block of which every burst that ended is a multiple.
    package var block: UInt64? {
      guard ended > 0, multiples != 0 else { return nil }
      return Self.blocks[7 - multiples.leadingZeroBitCount]
    }

    package mutating func end(_ bytes: UInt64, insideItem isInside: Bool, silent isSilent: Bool) {
      ended += 1
      if isInside { insideItem += 1 }
      if isSilent, bytes > Self.beginning { silent += 1 } else if isSilent { begun += 1 }
      smallest = min(smallest, bytes)
      largest = max(largest, bytes)
      for (bit, block) in Self.blocks.enumerated() {
        let rest = bytes % block
        if bytes < block - Self.slack || min(rest, block - rest) > Self.slack { multiples &= ~(1 << UInt8(bit)) }
      }
    }
  }

  /// A deviation that makes receivers ignore a part; the first of its kind, and the count.
  package struct Anomaly: Sendable, Equatable {
    package enum Kind: UInt8, Sendable, CaseIterable {
      case byteOrderMark, unknownField, strayLine, retryInvalid, idNUL, invalidUTF8
    }

    package var kind: Kind
    package var packet: PacketRef
    package var excerpt: Excerpt
    package var count: UInt64
    /// Bytes of all such lines.
    package var bytes: UInt64

    package init(_ kind: Kind, in packet: PacketRef, _ excerpt: Excerpt, bytes: UInt64) {
      self.kind = kind
      self.packet = packet
      self.excerpt = excerpt
      self.count = 1
      self.bytes = bytes
    }
  }

  /// An item without its end.
  package struct Tail: Sendable, Equatable {
    package var bytes: UInt64
    package var first: PacketRef
    package var last: PacketRef
    package var carriesData: Bool
    /// Not even its last line has an end.
    package var isMidLine: Bool

    package init(bytes: UInt64, first: PacketRef, last: PacketRef, carriesData: Bool, isMidLine: Bool) {
      self.bytes = bytes
      self.first = first
      self.last = last
      self.carriesData = carriesData
      self.isMidLine = isMidLine
    }
  }

  package var kind: Kind
  /// Declared by its type; false if it was only requested and looks like it.
  package var isDeclared = true
  /// Chunks with data or, without chunks, packets with bytes of the body.
  package var pieces: UInt64 = 0
  package var lastPiece: PacketRef?
  package var firstPiece: PacketRef?
  package var firstItem: PacketRef?
  package var firstData: PacketRef?
  package var lastItem: PacketRef?
  package var items: UInt64 = 0
  package var perChunk = Density()
  package var perSegment = Density()
  package var gaps = ExponentialHistogram()
  package var itemGaps = ExponentialHistogram()
  /// The usual time between two pieces, where there are so many items, and nine in ten pieces come within twice that time.
  package func beat(of leastItems: UInt64) -> Int64? {
    guard items >= leastItems, let beat = gaps.quantile(50), beat > 0, let slow = gaps.quantile(90),
      slow <= beat.saturatingMultiplied(by: 2)
    else { return nil }
    return beat
  }

  /// The items on both sides of the longest of them.
  package var longestGap: MessageRecord.Pause?
  /// The longest time from an item's first byte to its end.
  package var slowest: MessageRecord.Pause?
  /// The longest time for which an item lacked only its end.
  package var longestHold: MessageRecord.Pause?
  package var bursts = Bursts()
  /// Items with bytes in two chunks at least.
  package var splitOverChunks: UInt64 = 0
  /// Items whose end came only with the next one, 10 ms late or more.
  package var heldEnds: UInt64 = 0
  /// The longest hold among those.
  package var heldEnd: MessageRecord.Pause?
  package var tail: Tail?

  /// Lines that only keep the stream alive.
  package var comments: UInt64 = 0
  package var longestCommentPeriod: MessageRecord.Pause?
  /// What a client would send in Last-Event-ID; it is payload.
  package var lastID: [UInt8] = []
  package var retryMilliseconds: UInt64?
  package var retryPacket: PacketRef?
  /// The first event with the name error.
  package var errorEvent: PacketRef?
  package var anomalies: [Anomaly] = []
  /// What a language model answered, if it is that.
  @Rare package var answer: AnswerRecord?
  /// Of gRPC: what only its messages have.
  @Rare package var call: GRPCRecord.Side?

  package init(_ kind: Kind) {
    self.kind = kind
  }

  /// There is something in it that receivers ignore, a time to wait before they reconnect, or an error.
  package var isRemarkable: Bool { !anomalies.isEmpty || retryPacket != nil || errorEvent != nil }

  package func anomaly(_ kind: Anomaly.Kind) -> Anomaly? { anomalies.first { $0.kind == kind } }

  /// All items came in one burst.
  package var isOneBurst: Bool { bursts.count == 1 }
}

extension ExchangeRecord {
  /// The response as a stream of items or, if its content is not parsed and it came in bursts, of chunks.
  /// One message is all that most calls of gRPC are answered with: those are no streams.
  package var stream: ItemRecord? {
    guard let response else { return nil }
    if let stream = response.stream { return stream.kind == .grpc && stream.items < 2 ? nil : stream }
    guard response.isDrip, let chunks = response.chunks, chunks.count > 1 else { return nil }
    var record = ItemRecord(.chunked)
    record.pieces = chunks.count
    record.firstPiece = chunks.first
    record.lastPiece = chunks.last
    // Only long pauses: shorter ones are not kept for every body.
    if let gaps = response.gaps { record.gaps = gaps }
    return record
  }

  /// From the request to the first event or line.
  package var timeToFirstItem: Int64? {
    guard let asked = request?.headReleased, let item = response?.stream?.firstItem else { return nil }
    return item.time.since(asked.time)
  }
}

import Citation

/// What a streamed body said, piece by piece: when, and how its events or lines lay in chunks, segments and bursts.
///
/// Events and lines are both called items here. An item is there at the packet that completed it; of a compressed body,
/// at the packet of the compressed bytes that it came out of.
package struct ItemRecord: Sendable {
  package enum Kind: String, Sendable {
    case sse, ndjson
    /// Chunks whose content this program does not read.
    case chunked
  }

  /// How many items came in one unit of transport.
  package struct Density: Sendable, Equatable {
    /// Units that completed an item at least.
    package var units: UInt64 = 0
    package var most: UInt64 = 0

    package init() {}

    package mutating func add(_ items: UInt64) {
      guard items > 0 else { return }
      units += 1
      most = max(most, items)
    }
  }

  /// Runs of body bytes without a pause of 200 ms in them. All but `count` are of those that a pause ended: the last one
  /// ends as it may.
  package struct Bursts: Sendable, Equatable {
    package static let pause: Int64 = 200_000_000
    /// Sizes of the buffers that programs write out when they are full.
    package static let blocks: [UInt64] = [4_096, 8_192, 16_384, 32_768]
    /// A proxy's own framing may take so much of a block.
    package static let slack: UInt64 = 16

    package var count: UInt64 = 0
    package var ended: UInt64 = 0
    /// They ended in the middle of an item.
    package var insideItem: UInt64 = 0
    /// Nothing came out of them that the compression had not kept back.
    package var silent: UInt64 = 0
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
      if isSilent { silent += 1 }
      smallest = min(smallest, bytes)
      largest = max(largest, bytes)
      for (bit, block) in Self.blocks.enumerated() {
        let rest = bytes % block
        if bytes < block - Self.slack || min(rest, block - rest) > Self.slack { multiples &= ~(1 << UInt8(bit)) }
      }
    }
  }

  /// Something that receivers answer by ignoring a part; the first of its kind, and how many there were.
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
  /// Its type says so; false where it was only asked for and looks like it.
  package var isDeclared = true
  /// Chunks with data or, without chunks, packets with bytes of the body.
  package var pieces: UInt64 = 0
  package var firstPiece: PacketRef?
  package var lastPiece: PacketRef?
  package var gaps = DurationHistogram()

  package var items: UInt64 = 0
  package var firstItem: PacketRef?
  package var firstData: PacketRef?
  package var lastItem: PacketRef?
  package var itemGaps = DurationHistogram()
  package var perChunk = Density()
  package var perSegment = Density()
  package var bursts = Bursts()
  /// Items with bytes in two chunks at least.
  package var splitOverChunks: UInt64 = 0
  /// The longest time from an item's first byte to its end.
  package var slowest: MessageRecord.Pause?
  /// The longest time for which an item was whole but for its end.
  package var longestHold: MessageRecord.Pause?
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
  package var anomalies: [Anomaly] = []

  package init(_ kind: Kind) {
    self.kind = kind
  }

  package func anomaly(_ kind: Anomaly.Kind) -> Anomaly? { anomalies.first { $0.kind == kind } }

  /// All items came in one burst.
  package var isOneBurst: Bool { bursts.count == 1 }
}

extension ExchangeRecord {
  /// The response as a stream: as what it says or, where nobody reads that and it came in bursts, as its chunks.
  package var stream: ItemRecord? {
    guard let response else { return nil }
    if let stream = response.stream { return stream }
    guard response.isDrip, let chunks = response.chunks, chunks.count > 1 else { return nil }
    var record = ItemRecord(.chunked)
    record.pieces = chunks.count
    record.firstPiece = chunks.first
    record.lastPiece = chunks.last
    // Of pauses worth the name: shorter ones are not kept of every body.
    if let gaps = response.gaps { record.gaps = gaps }
    return record
  }

  /// From the request to the first event or line.
  package var timeToFirstItem: Int64? {
    guard let asked = request?.headReleased, let item = response?.stream?.firstItem else { return nil }
    return item.time.since(asked.time)
  }
}

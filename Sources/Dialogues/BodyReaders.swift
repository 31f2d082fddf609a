import Citation
import Digests
import Events
import HTTP1
import HTTPSemantics

/// Everybody who looks at the bytes of a body while they pass: most bodies interest nobody after their first bytes.
struct BodyReaders: Sendable {
  // What most bodies do not need is rare, and what is asked for each of their segments is small: it is asked in its place.
  private var isOpening = true
  private var edge: EventEdge?
  private var content = Rare<ContentReader>()
  private var digest = Rare<SHA256>()
  private var stream = Rare<ItemReader>()
  private var multipart = Rare<MultipartReader>()
  /// Where each chunk is told.
  private var chunks = Rare<PieceReader>()
  /// Where the body is to be compared.
  private var trail = Rare<TrailReader>()
  private var characters = CharacterCount()
  private var inner: InnerChunkReader?

  init() {}

  /// Reads the body of a head that was read, as new as it is. `expectsEvents` when it answers a request for an event
  /// stream.
  mutating func begin(
    _ head: MessageHead, _ direction: Direction, digests: Bool, expectsEvents: Bool, _ pieces: PieceOptions
  ) {
    if digests { digest = Rare(SHA256()) }
    guard head.framing != .none, head.framing != .tunnel else { return }
    if head.framing == .chunked || head.framing == .close { inner = InnerChunkReader() }
    // Nearly every body has a type that is read in no way, and no coding.
    let names = head.block.known
    if names.has(.contentEncoding), let reader = ContentReader(head) { content = Rare(reader) }
    let type = names.has(.contentType) ? ItemType(head) : nil
    // The bytes of a chunk as they are: of coded ones they say nothing of events.
    if type != nil, content.isEmpty { edge = EventEdge(head) }
    if names.has(.contentType), MultipartReader.reads(head), let reader = MultipartReader(head) {
      multipart = Rare(reader)
    }
    if ItemReader.reads(head, type, expectsEvents: expectsEvents) {
      stream = Rare(ItemReader(head, type, pieces, direction))
    }
    if pieces.isTold, head.framing == .chunked {
      // What events and lines say is told with them.
      let limit = stream.copy?.isDeclared == true ? 0 : pieces.previewLimit
      chunks = Rare(PieceReader(direction, previewLimit: limit))
    }
    if pieces.isCompared { trail = Rare(TrailReader(isDecoded: !content.isEmpty && content.value.isReadable)) }
  }

  /// Of a body whose head was not captured. What it is encoded in, and whether it is whole, nobody knows.
  init(joining body: JoinedBody, _ direction: Direction, _ pieces: PieceOptions) {
    let isChunked = body.framing == .chunked
    isOpening = false
    if let boundary = body.boundary {
      if let reader = MultipartReader(boundary: boundary) { multipart = Rare(reader) }
    } else {
      stream = Rare(ItemReader(joinedChunks: isChunked, pieces, direction))
    }
    if pieces.isTold, isChunked { chunks = Rare(PieceReader(direction, previewLimit: pieces.previewLimit)) }
  }

  /// What its items are, as far as they are read.
  var itemType: String? {
    if !multipart.isEmpty { return "multipart/x-mixed-replace" }
    return stream.isEmpty ? nil : stream.value.type?.name
  }

  var isEventStream: Bool { !stream.isEmpty && stream.value.type == .events }

  /// What is kept to read on with, apart from the message.
  mutating func countHeld() -> Int {
    var sum = stream.heldBytes * 2 + chunks.heldBytes + trail.heldBytes * 4
    if !content.isEmpty { sum += content.heldBytes + content.value.heldBytes }
    if !multipart.isEmpty { sum += multipart.heldBytes + multipart.value.heldBytes }
    return sum
  }

  /// The content is undone no more, and nothing that reads it goes on: to stay within the memory limit.
  mutating func dropContent() {
    guard !content.isEmpty, content.value.heldBytes > 0 else { return }
    content.value.skip()
    if !stream.isEmpty { stream.value.skip(isCoded: true) }
  }

  /// What is kept does not depend on how much is read.
  @inline(__always)
  var isSteady: Bool { content.isEmpty && multipart.isEmpty && trail.isEmpty }
  var isCoded: Bool { !content.isEmpty }

  /// Whether anybody wants the next bytes.
  @inline(__always)
  var isReading: Bool {
    isOpening || !content.isEmpty || !digest.isEmpty || inner != nil || edge != nil || !stream.isEmpty
      || characters.isCounting || !multipart.isEmpty || !chunks.isEmpty || !trail.isEmpty
  }

  /// `offset` is where the bytes stand in the stream.
  mutating func read(
    _ bytes: Span<UInt8>, at offset: UInt64, in packet: PacketRef, _ message: inout MessageRecord
  ) {
    if isOpening {
      let kept = min(bytes.count, MessageRecord.openingLimit - message.opening.count)
      bytes.extracting(first: kept).withUnsafeBufferPointer { message.opening.append(contentsOf: $0) }
      isOpening = message.opening.count < MessageRecord.openingLimit
    }
    read(content: bytes, in: packet)
    if !chunks.isEmpty { chunks.value.read(bytes) }
    if !digest.isEmpty { digest.value.update(bytes) }
    inner?.read(bytes)
    if inner?.isAlike == false { inner = nil }
    characters.count(bytes)
    if !multipart.isEmpty { multipart.value.read(bytes, at: offset, in: packet) }
    if edge?.take(bytes) == true, let before = message.lastBody {
      let pause = MessageRecord.Pause(from: before, to: packet)
      if pause.nanoseconds > message.splitEvent?.nanoseconds ?? 0 { message.splitEvent = pause }
    }
  }

  private mutating func read(content bytes: Span<UInt8>, in packet: PacketRef) {
    guard trail.isEmpty else { return follow(content: bytes, in: packet) }
    guard !stream.isEmpty else {
      if !content.isEmpty { content.value.read(bytes, in: packet) { _ in } }
      return
    }
    stream.value.begin(bytes.count, in: packet)
    if content.isEmpty {
      stream.value.read(bytes, in: packet)
    } else {
      var reader = Rare<ItemReader>()
      swap(&reader, &stream)
      content.value.read(bytes, in: packet) { reader.value.read($0, in: packet) }
      swap(&reader, &stream)
    }
    if stream.value.isOver, !stream.value.isDeclared { stream.remove() }
  }

  /// The same for a body that leaves a trail: of its content, where that can be read.
  @inline(never)
  private mutating func follow(content bytes: Span<UInt8>, in packet: PacketRef) {
    // Out of here meanwhile: the decoder is a part of this, too.
    var stream = Rare<ItemReader>()
    var trail = Rare<TrailReader>()
    swap(&stream, &self.stream)
    swap(&trail, &self.trail)
    if !stream.isEmpty { stream.value.begin(bytes.count, in: packet) }
    if !trail.value.trail.isDecoded { trail.value.take(bytes, in: packet) }
    if content.isEmpty {
      if !stream.isEmpty { stream.value.read(bytes, in: packet) }
    } else {
      content.value.read(bytes, in: packet) { plain in
        if !stream.isEmpty { stream.value.read(plain, in: packet) }
        if trail.value.trail.isDecoded { trail.value.take(plain, in: packet) }
      }
    }
    if !stream.isEmpty, stream.value.isOver, !stream.value.isDeclared { stream.remove() }
    swap(&stream, &self.stream)
    swap(&trail, &self.trail)
  }

  @inline(__always)
  mutating func beginChunk(_ index: Int, size: UInt64) {
    characters.beginChunk(index, size: size)
  }

  mutating func end(_ chunk: Chunk) {
    edge?.endChunk()
    if !stream.isEmpty { stream.value.end(chunk) }
    if !chunks.isEmpty {
      let isDecoded = content.isEmpty || content.value.isDecoded
      chunks.value.end(chunk, carriesItems: isDecoded && !stream.isEmpty && stream.value.type != nil)
    }
    // Where the data ends is not known then, nor whether an event does.
    if case .mismatch = chunk.ending { edge = nil }
  }

  mutating func mismatch(_ error: FramingError) {
    characters.mismatch(error)
  }

  mutating func resume(_ skipped: UInt64, _ chunks: inout ChunkRecord?) {
    characters.resume(skipped, &chunks)
  }

  /// Bytes of the body are not there to be looked at.
  mutating func miss() {
    isOpening = false
    if !content.isEmpty { content.value.skip() }
    if !stream.isEmpty { stream.value.skip(isCoded: !content.isEmpty) }
    digest.remove()
    inner = nil
    edge = nil
    characters = CharacterCount()
    if !multipart.isEmpty { multipart.value.skip() }
    if !chunks.isEmpty { chunks.value.miss() }
    if !trail.isEmpty { trail.value.miss() }
  }

  /// Tells the pieces that are complete since the last time, a chunk behind the events that it ends.
  mutating func tellPieces(of exchange: ExchangeKey, into events: inout [Event]) {
    if !stream.isEmpty { stream.value.tellPieces(of: exchange, into: &events) }
    if !chunks.isEmpty { chunks.value.tell(of: exchange, into: &events) }
  }

  /// The body is over, or the message is.
  mutating func finish(_ message: inout MessageRecord) {
    if !content.isEmpty { message.content = content.value.finish(isWhole: message.isComplete) }
    if !digest.isEmpty, message.isComplete, message.framing != .none { message.sha256 = digest.value.finish() }
    if inner != nil { message.innerChunks = inner?.verdict }
    if !multipart.isEmpty { message.multipart = multipart.value.finish(isWhole: message.isComplete) }
    if !stream.isEmpty { message.stream = stream.value.finish() }
    if !trail.isEmpty { message.trail = trail.value.trail }
    self = BodyReaders()
  }
}

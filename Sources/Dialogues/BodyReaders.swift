import Citation
import Digests
import Events
import HTTP1
import HTTPSemantics

/// Everybody who looks at the bytes of a body while they pass: most bodies interest nobody after their first bytes.
struct BodyReaders: Sendable {
  private var isOpening = true
  private var content: ContentReader?
  private var digest: SHA256?
  private var inner: InnerChunkReader?
  private var edge: EventEdge?
  private var characters = CharacterCount()
  /// One or none of each: they are large, and few bodies have them.
  private var stream: [ItemReader] = []
  private var multipart: [MultipartReader] = []
  /// One or none: where each chunk is told.
  private var chunks: [PieceReader] = []
  /// One or none: where the body is to be compared.
  private var trail: [TrailReader] = []

  init() {}

  /// `expectsEvents` when it answers a request for an event stream.
  init(
    of head: MessageHead, _ direction: Direction, digests: Bool, expectsEvents: Bool, _ pieces: PieceOptions
  ) {
    content = ContentReader(head)
    digest = digests ? SHA256() : nil
    if head.framing == .chunked || head.framing == .close { inner = InnerChunkReader() }
    edge = EventEdge(head)
    if let reader = MultipartReader(head) { multipart.append(reader) }
    if let reader = ItemReader(head, expectsEvents: expectsEvents, pieces, direction) { stream.append(reader) }
    if pieces.isTold, head.framing == .chunked {
      // What events and lines say is told with them.
      let limit = stream.first?.isDeclared == true ? 0 : pieces.previewLimit
      chunks.append(PieceReader(direction, previewLimit: limit))
    }
    if pieces.isCompared, head.framing != .none, head.framing != .tunnel {
      trail.append(TrailReader(isDecoded: content?.isReadable == true))
    }
  }

  /// Whether anybody wants the next bytes.
  @inline(__always)
  var isReading: Bool {
    isOpening || content != nil || digest != nil || inner != nil || edge != nil || !stream.isEmpty
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
    if !chunks.isEmpty { chunks[0].read(bytes) }
    digest?.update(bytes)
    inner?.read(bytes)
    if inner?.isAlike == false { inner = nil }
    characters.count(bytes)
    if !multipart.isEmpty { multipart[0].read(bytes, at: offset, in: packet) }
    if edge?.take(bytes) == true, let before = message.lastBody {
      let pause = MessageRecord.Pause(from: before, to: packet)
      if pause.nanoseconds > message.splitEvent?.nanoseconds ?? 0 { message.splitEvent = pause }
    }
  }

  private mutating func read(content bytes: Span<UInt8>, in packet: PacketRef) {
    guard trail.isEmpty else { return follow(content: bytes, in: packet) }
    guard !stream.isEmpty else {
      content?.read(bytes, in: packet) { _ in }
      return
    }
    stream[0].begin(bytes.count, in: packet)
    if content == nil {
      stream[0].read(bytes, in: packet)
    } else {
      var reader: [ItemReader] = []
      swap(&reader, &stream)
      content?.read(bytes, in: packet) { reader[0].read($0, in: packet) }
      swap(&reader, &stream)
    }
    if stream[0].isOver, !stream[0].isDeclared { stream = [] }
  }

  /// The same for a body that leaves a trail: of its content, where that can be read.
  @inline(never)
  private mutating func follow(content bytes: Span<UInt8>, in packet: PacketRef) {
    // Out of here meanwhile: the decoder is a part of this, too.
    var stream: [ItemReader] = []
    var trail: [TrailReader] = []
    swap(&stream, &self.stream)
    swap(&trail, &self.trail)
    if !stream.isEmpty { stream[0].begin(bytes.count, in: packet) }
    if !trail[0].trail.isDecoded { trail[0].take(bytes, in: packet) }
    if content == nil {
      if !stream.isEmpty { stream[0].read(bytes, in: packet) }
    } else {
      content?.read(bytes, in: packet) { plain in
        if !stream.isEmpty { stream[0].read(plain, in: packet) }
        if trail[0].trail.isDecoded { trail[0].take(plain, in: packet) }
      }
    }
    if !stream.isEmpty, stream[0].isOver, !stream[0].isDeclared { stream = [] }
    swap(&stream, &self.stream)
    swap(&trail, &self.trail)
  }

  @inline(__always)
  mutating func begin(_ line: ChunkSizeLine) {
    characters.begin(line)
  }

  mutating func end(_ chunk: Chunk) {
    edge?.endChunk()
    if !stream.isEmpty { stream[0].end(chunk) }
    if !chunks.isEmpty { chunks[0].end(chunk) }
    // Where the data ends is not known then, nor whether an event does.
    if chunk.ending == .mismatch { edge = nil }
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
    content?.skip()
    if !stream.isEmpty { stream[0].skip(isCoded: content != nil) }
    digest = nil
    inner = nil
    edge = nil
    characters = CharacterCount()
    if !multipart.isEmpty { multipart[0].skip() }
    if !chunks.isEmpty { chunks[0].miss() }
    if !trail.isEmpty { trail[0].miss() }
  }

  /// Pieces that are complete since the last time, a chunk behind the events that it ends.
  mutating func takenPieces() -> [Item] {
    let events = stream.isEmpty ? [] : stream[0].takenPieces()
    return chunks.isEmpty ? events : events + chunks[0].taken()
  }

  /// The body is over, or the message is.
  mutating func finish(_ message: inout MessageRecord) {
    message.content = content?.finish(isWhole: message.isComplete)
    if message.isComplete, message.framing != .none { message.sha256 = digest?.finish() }
    message.innerChunks = inner?.verdict
    if !multipart.isEmpty { message.multipart = multipart[0].finish(isWhole: message.isComplete) }
    if !stream.isEmpty { message.stream = stream[0].finish() }
    message.trail = trail.first?.trail
    self = BodyReaders()
  }
}

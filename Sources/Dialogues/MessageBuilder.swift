import Citation
import Events
import HTTPSemantics

/// A message while it is read, of any version of HTTP. Its dialogue says what the message is made of:
///
///     begin           its first byte
///     take(head)      the field section it begins with; takePart(head) of one that never became complete
///     takeBody        bytes of the body
///     take(trailers)  the field section behind the body
///     take(lenience), take(error)    what a parser had to forgive, or could not read
///     miss            bytes that the capture lacks
///     ended           its end; taken() where there will be none
///
/// Chunks are HTTP/1's own, and stand beside it (MessageBuilder+Chunks).
///
/// A plain record and a flag, not an optional: an optional's payload is taken out and put back at every change.
///
/// Invariant: while it is not open, record and readers are as new.
struct MessageBuilder: Sendable {
  /// A pause inside a body that makes it a drip.
  private static let pause: Int64 = 200_000_000

  private(set) var isOpen = false
  /// Beside the record, which would be copied to be asked.
  private(set) var isChunked = false
  /// Metered are bodies whose sender may be cut off for being slow: those of requests.
  let isMetered: Bool
  /// Whether bodies are digested.
  private let digests: Bool
  /// The next of `MessageRecord.milestones`, and its bytes: asked for each piece of a body.
  private var nextMilestone = 0
  private var nextReach = MessageRecord.firstMilestone
  private let pieces: PieceOptions
  var readers = BodyReaders()
  var message = MessageRecord(direction: .toServer, first: .none)
  var meter = BodyMeter()

  init(isMetered: Bool, _ options: DialogueOptions) {
    self.isMetered = isMetered
    digests = options.digests
    pieces = options.pieces
  }

  mutating func begin(_ direction: Direction, _ first: PacketRef) {
    if isOpen {
      message = MessageRecord(direction: direction, first: first)
      readers = BodyReaders()
    } else {
      message.direction = direction
      message.first = first
      message.last = first
    }
    nextMilestone = 0
    nextReach = MessageRecord.firstMilestone
    if isMetered { meter = BodyMeter() }
    isOpen = true
    isChunked = false
  }

  var first: PacketRef { message.first }
  var bodyBytes: UInt64 { message.bodyBytes }
  var firstBody: PacketRef? { message.firstBody }
  var lastBody: PacketRef? { message.lastBody }

  /// What it holds beside itself. Mutating, because to ask the whole is copied.
  mutating func countHeld() -> Int {
    isOpen ? message.countHeld() - MemoryLayout<MessageRecord>.stride + readers.countHeld() : 0
  }

  /// Its body is read, and it holds no more for it.
  @inline(__always)
  var isSteady: Bool { isOpen && readers.isSteady }
  var isCoded: Bool { isOpen && readers.isCoded }

  /// The message, if there is one, as far as it is.
  mutating func taken() -> Message? {
    guard isOpen else { return nil }
    isOpen = false
    readers.finish(&message)
    if isMetered, meter.hasWindows { message.slowWindows = meter.slowest() }
    // Moved out: a copy of so many parts costs as much as reading a short head.
    var record = MessageRecord(direction: .toServer, first: .none)
    swap(&record, &message)
    let heldBytes = record.countHeld()
    return Message(consume record, heldBytes: heldBytes)
  }

  private mutating func endBurst(at packet: PacketRef) {
    guard message.earlierBursts.count < MessageRecord.burstLimit else { return }
    // The second tends to be followed by more.
    if message.earlierBursts.isEmpty { message.earlierBursts.reserveCapacity(8) }
    message.earlierBursts.append(MessageRecord.Milestone(bytes: message.bodyBytes, packet: packet))
  }

  mutating func ended(_ end: MessageEnd) -> Message? {
    guard isOpen else { return nil }
    message.end = end
    if end.packet.number > message.last.number { message.last = end.packet }
    message.bodyBytes = end.bodyBytes
    return taken()
  }

  var isEventStream: Bool { isOpen && readers.isEventStream }
  var isJoined: Bool { isOpen && message.joined != nil }

  var head: MessageHead? { isOpen ? message.head : nil }

  /// What had arrived of a head that never became complete.
  mutating func takePart(_ head: MessageHead) {
    guard isOpen else { return }
    message.head = head
    message.last = head.span.last
  }

  mutating func take(_ head: MessageHead, expectsEvents: Bool = false) {
    guard isOpen else { return }
    message.head = head
    message.headReleased = head.released
    message.last = head.span.last
    noteFraming(head.framing)
    readers.begin(head, message.direction, digests: digests, expectsEvents: expectsEvents, pieces)
  }

  private mutating func noteFraming(_ framing: Framing) {
    isChunked = framing == .chunked
    if isChunked { message.chunks = ChunkRecord() }
  }

  /// Takes a body whose head was sent before the capture began.
  mutating func join(_ body: JoinedBody) {
    guard isOpen else { return }
    message.joined = body.framing
    noteFraming(body.framing)
    readers = BodyReaders(joining: body, message.direction, pieces)
  }

  /// The head is there, or was before the capture began, and the end of the body is not.
  @inline(__always)
  var isInBody: Bool {
    guard isOpen else { return false }
    if message.head == nil { return message.joined != nil }
    return message.framing != .none && message.framing != .tunnel
  }

  /// What there is of a body whose end is not.
  var openBody: OpenBody? {
    guard isInBody else { return nil }
    let type = message.head.map { $0.block.contentType?.essence ?? "" } ?? readers.itemType ?? ""
    return OpenBody(
      direction: message.direction, kind: type.isEmpty ? (isChunked ? "chunked" : "body") : type, first: message.first,
      last: message.lastBody ?? message.last, bytes: message.bodyBytes)
  }

  mutating func take(_ pause: StreamPause) {
    guard isOpen else { return }
    message.silence.add(pause.cause, pause.nanoseconds)
    if message.stalls.count < MessageRecord.stallLimit { message.stalls.append(pause) }
  }

  /// Takes body bytes of the chunk of the stream that brought them.
  @inline(__always)
  mutating func takeBody(_ range: Range<UInt64>, _ offset: UInt64, of input: borrowing CitedBytes) {
    guard isOpen else { return }
    let packet = input.released
    let reached = offset &+ (range.upperBound &- range.lowerBound)
    if readers.isReading { look(at: range, of: input) }
    if isMetered { meter.add(range.upperBound &- range.lowerBound, in: packet) }
    if let before = message.lastBody {
      let silence = packet.time.since(before.time)
      if silence > 0 { notePause(silence, from: before, to: packet) }
    } else {
      message.firstBody = packet
    }
    if reached >= nextReach { passMilestones(reached, packet) }
    message.lastBody = packet
    message.last = packet
    message.bodyBytes = reached
  }

  private mutating func look(at range: Range<UInt64>, of input: borrowing CitedBytes) {
    // Some may lie before the chunk at hand (see HTTP1Token.body), and cannot be looked at any more.
    guard range.lowerBound >= input.offset else { return readers.miss() }
    let start = Int(truncatingIfNeeded: range.lowerBound &- input.offset)
    let end = Int(truncatingIfNeeded: range.upperBound &- input.offset)
    guard end <= input.bytes.count else { return readers.miss() }
    readers.read(input.bytes.extracting(start..<end), at: range.lowerBound, in: input.released, &message)
  }

  @inline(never)
  private mutating func passMilestones(_ reached: UInt64, _ packet: PacketRef) {
    let milestones = MessageRecord.milestones
    let isFirst = message.firstBody == packet
    if isFirst { message.firstReach = reached }
    while nextMilestone < milestones.count, reached >= milestones[nextMilestone] {
      // Small bodies come in one packet: they need no list.
      if !isFirst {
        message.reached.append(MessageRecord.Milestone(bytes: milestones[nextMilestone], packet: packet))
      }
      nextMilestone += 1
    }
    nextReach = nextMilestone < milestones.count ? milestones[nextMilestone] : .max
  }

  private mutating func notePause(_ silence: Int64, from before: PacketRef, to packet: PacketRef) {
    if silence >= MessageRecord.burstGap { endBurst(at: before) }
    if silence >= Self.pause { message.pauses += 1 }
    if silence >= MessageRecord.gapFrom {
      // Not compared with nil, which copies it.
      if message.gaps?.add(silence) == nil {
        message.gaps = ExponentialHistogram()
        message.gaps?.add(silence)
      }
    }
    if silence > message.longestPause?.nanoseconds ?? 0 {
      message.longestPause = MessageRecord.Pause(from: before, to: packet)
    }
  }

  mutating func tellPieces(of exchange: ExchangeKey, into events: inout [Event]) {
    readers.tellPieces(of: exchange, into: &events)
  }

  mutating func take(trailers: HeaderBlock) {
    guard isOpen else { return }
    message.trailers = trailers
  }

  /// Keeps what a parser had to forgive in the message; hands it back where none is open.
  mutating func take(_ lenience: Lenience) -> Stray? {
    guard isOpen else { return .lenience(lenience) }
    if message.leniences.count < MessageRecord.noteLimit { message.leniences.append(lenience) }
    return nil
  }

  /// The same of what could not be read.
  mutating func take(_ error: FramingError) -> Stray? {
    guard isOpen else { return .error(error) }
    if message.errors.count < MessageRecord.noteLimit { message.errors.append(error) }
    return nil
  }

  /// Bytes of the message are missing from the capture.
  mutating func miss() {
    guard isOpen else { return }
    readers.miss()
  }

  /// The same of so many bytes of the body.
  mutating func miss(_ count: UInt64) {
    guard isOpen else { return }
    readers.miss()
    message.bodyBytes &+= count
  }

  /// A frame of data is over.
  mutating func takeFrame(_ bytes: UInt32, padding: UInt32, _ packet: PacketRef) {
    guard isOpen else { return }
    message.dataFrames.add(bytes, padding: padding, packet)
  }
}

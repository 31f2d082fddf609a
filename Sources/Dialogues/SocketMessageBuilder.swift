import Citation
import Codecs
import Events
import WebSocket
import WebSocketSemantics

/// Joins the data frames of one direction to messages: inflates what was compressed, reads text as text, and keeps only
/// the beginning of the first ones.
///
/// Control frames may stand between the frames of a message and never touch it. A frame that has no place, a
/// continuation without a beginning or a beginning inside a message, is a message of its own, so that every byte is
/// counted; that it has no place is for the rules.
///
/// A plain record and a flag, not an optional, as in MessageBuilder.
struct SocketMessageBuilder: Sendable {
  /// Bytes that are unmasked at once: what is kept for it, thousands of connections keep.
  private static let block = 1 << 10

  private let terms: DeflateTerms?
  private let pieces: PieceOptions
  private var inflate: Inflate?
  /// The window is not the sender's: nothing compressed can be read any more, until a message begins without one.
  private var isOpaque = false
  private var message: WebSocketMessage
  private(set) var isOpen = false
  private var content = SocketContent(isText: false, keeping: 0)
  private var isCompressed = false
  private var isInflating = false
  private var unmasked: [UInt8] = []
  private var unmaskedRoom = ArrayRoom()
  private var index: UInt64 = 0
  private(set) var figures: DeflateFigures?
  /// Of a sender that forgets its window: see TakeoverSample.
  private var sample = Rare<TakeoverSample>()

  init(_ direction: Direction, _ terms: DeflateTerms?, _ pieces: PieceOptions) {
    self.terms = terms
    self.pieces = pieces
    message = WebSocketMessage(
      direction: direction, index: 0, opcode: .text, span: ByteSpan(0..<0, first: .none, last: .none), released: .none)
    if let terms {
      figures = DeflateFigures()
      if terms.forgetsContext { sample = Rare(TakeoverSample()) }
    }
  }

  /// Whether nothing of a plain frame is kept any more, and it is what it says; then it is counted. Mutating, because to
  /// ask the whole is copied.
  @inline(__always)
  mutating func passes(_ one: PlainFrame, _ payload: Span<UInt8>) -> Bool {
    guard !isOpen, terms == nil, pieces.previewLimit == 0, !pieces.isCompared, index >= WebSocketMessage.openings else {
      return false
    }
    if one.opcode == .text, !isText(payload, one.maskKey) { return false }
    index += 1
    return true
  }

  private mutating func isText(_ payload: Span<UInt8>, _ key: UInt32?) -> Bool {
    if isASCII(masked: payload, key: key ?? 0) { return true }
    var utf8 = UTF8Stream()
    guard let key, key != 0 else { return utf8.take(payload) == nil && !utf8.isOpen }
    var bytes: [UInt8] = []
    swap(&bytes, &unmasked)
    defer { swap(&bytes, &unmasked) }
    unmaskedRoom.note(min(payload.count, Self.block))
    var position = 0
    while position < payload.count {
      let end = min(position + Self.block, payload.count)
      bytes.removeAll(keepingCapacity: true)
      unmask(payload.extracting(position..<end), key: key, at: UInt64(truncatingIfNeeded: position), into: &bytes)
      if utf8.take(bytes.span) != nil { return false }
      position = end
    }
    return !utf8.isOpen
  }

  /// A data frame begins. Answers the message that it leaves unfinished, where it has no place inside it.
  mutating func begin(_ frame: Frame) -> WebSocketMessage? {
    if frame.opcode == .continuation, isOpen {
      message.frames += 1
      return nil
    }
    let unfinished = taken()
    message = WebSocketMessage(
      direction: message.direction, index: index, opcode: frame.opcode, span: frame.span, released: frame.released)
    isOpen = true
    let limit = index < WebSocketMessage.openings ? WebSocketMessage.openingLimit : 0
    content = SocketContent(
      isText: frame.opcode == .text, keeping: max(limit, pieces.previewLimit), isHashed: pieces.isCompared)
    index += 1
    isCompressed = frame.hasRSV1
    isInflating = false
    if isCompressed { beginInflation() }
    return unfinished
  }

  private mutating func beginInflation() {
    guard let terms else {
      message.inflation = .notAgreed
      return
    }
    if terms.forgetsContext { isOpaque = false }
    // A copy of this would move on the same window (see Inflate): it is the copy's, then.
    if inflate != nil, !isKnownUniquelyReferenced(&inflate) {
      inflate = nil
      isOpaque = !terms.forgetsContext
    }
    guard !isOpaque else {
      message.inflation = .unreadable
      return
    }
    if inflate == nil { inflate = Inflate(windowBits: terms.windowBits) }
    inflate?.beginMessage(keepingContext: !terms.forgetsContext)
    message.inflation = .inflated
    isInflating = true
    if !sample.isEmpty { sample.value.begin() }
  }

  mutating func countHeld() -> Int {
    (inflate?.heldBytes ?? 0) + sample.heldBytes * 4 + unmaskedRoom.held(UInt8.self)
  }

  /// The window is given up: nothing compressed is read any more, until a message begins without one.
  mutating func dropContent() {
    guard inflate != nil else { return }
    inflate = nil
    isOpaque = true
    if isInflating { message.inflation = .unreadable }
    isInflating = false
  }

  /// Payload of the data frame at hand, still masked.
  mutating func take(_ payload: Span<UInt8>, at offset: UInt64, key: UInt32?, in packet: PacketRef) {
    guard isOpen, !payload.isEmpty else { return }
    message.wireBytes &+= UInt64(truncatingIfNeeded: payload.count)
    guard isInflating || !isCompressed && content.isReading else {
      if !isCompressed { content.count(payload.count) }
      return
    }
    guard let key, key != 0 else { return take(clear: payload, in: packet) }
    var bytes: [UInt8] = []
    swap(&bytes, &unmasked)
    unmaskedRoom.note(min(payload.count, Self.block))
    var position = 0
    while position < payload.count {
      let end = min(position + Self.block, payload.count)
      bytes.removeAll(keepingCapacity: true)
      unmask(
        payload.extracting(position..<end), key: key, at: offset &+ UInt64(truncatingIfNeeded: position), into: &bytes)
      take(clear: bytes.span, in: packet)
      position = end
    }
    swap(&bytes, &unmasked)
  }

  private mutating func take(clear bytes: Span<UInt8>, in packet: PacketRef) {
    guard isInflating, let inflate else { return content.take(bytes, in: packet) }
    inflate.decode(bytes) { takeInflated($0, in: packet) }
    noteTrouble(inflate, packet)
  }

  private mutating func takeInflated(_ plain: Span<UInt8>, in packet: PacketRef) {
    content.take(plain, in: packet)
    if !sample.isEmpty { sample.value.take(plain) }
  }

  /// Everything that was found out about compression, once nothing more comes.
  func finalFigures() -> DeflateFigures? {
    guard var figures else { return nil }
    figures.takeover = sample.copy?.figures(enough: 20)
    return figures
  }

  private mutating func noteTrouble(_ inflate: Inflate, _ packet: PacketRef) {
    if let far = inflate.tooFar, case .inflated = message.inflation {
      message.inflation = .tooFar(
        distance: far.distance, limit: far.limit, isForgotten: far.isForgotten, packet)
    }
    switch inflate.state {
    case .running: return
    case .failed(let failure):
      // A reference that could not be followed is why.
      if case .inflated = message.inflation { message.inflation = .failed(failure.description, packet) }
    case .stopped: message.inflation = .stopped(ratio: inflate.bytesOut / max(1, inflate.bytesIn), packet)
    }
    isInflating = false
    isOpaque = true
  }

  /// Ends a message of one frame where that says all there is to be said of it, and answers whether it does.
  mutating func endsPlainly(_ frame: Frame) -> Bool {
    guard isOpen, !isCompressed, frame.isComplete, frame.isFinal, message.frames == 1, message.opcode != .continuation,
      message.wireBytes <= WebSocketMessage.plainLimit, message.index >= WebSocketMessage.openings,
      content.opening.isEmpty, content.hash == nil
    else { return false }
    content.finish(in: frame.released)
    guard content.fault == nil else { return false }
    isOpen = false
    return true
  }

  /// A data frame is over. Answers the message, where it was the last of it.
  mutating func end(_ frame: Frame) -> WebSocketMessage? {
    guard isOpen else { return nil }
    let start = message.span.range.lowerBound
    message.span.range = start..<max(start, frame.span.range.upperBound)
    message.span.last = frame.span.last
    message.released = frame.released
    guard frame.isComplete else { return taken() }
    guard frame.isFinal else { return nil }
    if isInflating { endInflation(frame.released) }
    if !isCompressed || isInflating { content.finish(in: frame.released) }
    message.isComplete = true
    return taken()
  }

  private mutating func endInflation(_ packet: PacketRef) {
    guard let inflate else { return }
    message.endsWithTail = inflate.endsWithTail
    _ = inflate.endMessage { takeInflated($0, in: packet) }
    noteTrouble(inflate, packet)
    guard isInflating else { return }
    message.finalBlocks = inflate.finalBlocks
    figures?.add(wire: message.wireBytes, plain: content.bytes)
  }

  /// The message, as far as it came.
  mutating func taken() -> WebSocketMessage? {
    guard isOpen else { return nil }
    isOpen = false
    message.bytes = content.bytes
    message.opening = content.opening
    message.hash = message.isReadable ? content.hash : nil
    message.utf8 = content.fault
    // Half a message leaves a window that nobody can say anything about.
    if isCompressed, !message.isComplete { isOpaque = true }
    return message
  }
}

extension DeflateFigures {
  fileprivate mutating func add(wire: UInt64, plain: UInt64) {
    messages += 1
    compressed &+= wire
    inflated &+= plain
    if wire >= plain {
      grown += 1
      growth &+= wire - plain
    }
  }
}

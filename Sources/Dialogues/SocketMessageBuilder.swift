import Codecs
import Events
import Trace
import WebSocket
import WebSocketSemantics

/// Joins the data frames of one direction to messages: inflates what was compressed, reads text as text, and keeps only
/// the beginning.
///
/// Control frames may stand between the frames of a message and never touch it. A frame that has no place, a
/// continuation without a beginning or a beginning inside a message, is a message of its own, so that every byte is
/// counted; that it has no place is for the rules.
struct SocketMessageBuilder: Sendable {
  private let direction: Direction
  private let terms: DeflateTerms?
  private var inflate: Inflate?
  /// The window is not the sender's: nothing compressed can be read any more, until a message begins without one.
  private var isOpaque = false
  private var message: WebSocketMessage?
  private var content = SocketContent(isText: false)
  private var isCompressed = false
  private var tail: [UInt8] = []
  private var unmasked: [UInt8] = []
  private var index: UInt64 = 0
  private(set) var figures: DeflateFigures?

  init(_ direction: Direction, _ terms: DeflateTerms?) {
    self.direction = direction
    self.terms = terms
    if terms != nil { figures = DeflateFigures() }
  }

  /// A data frame begins. Answers the message that it leaves unfinished, where it has no place inside it.
  mutating func begin(_ frame: Frame) -> WebSocketMessage? {
    if frame.opcode == .continuation, message != nil {
      message?.frames += 1
      return nil
    }
    let unfinished = taken()
    message = WebSocketMessage(
      direction: direction, index: index, opcode: frame.opcode.rawValue, span: frame.span, released: frame.released,
      firstFrame: frame.index)
    index += 1
    content = SocketContent(isText: frame.opcode == .text)
    isCompressed = frame.hasRSV1
    if isCompressed { beginInflation() }
    return unfinished
  }

  private mutating func beginInflation() {
    tail.removeAll(keepingCapacity: true)
    guard let terms else {
      message?.inflation = .notAgreed
      return
    }
    if terms.forgetsContext { isOpaque = false }
    guard !isOpaque else {
      message?.inflation = .unreadable
      return
    }
    if inflate == nil { inflate = Inflate(windowBits: terms.windowBits) }
    inflate?.beginMessage(keepingContext: !terms.forgetsContext)
    message?.inflation = .inflated
  }

  /// Payload of the data frame at hand, still masked.
  mutating func take(_ payload: Span<UInt8>, at offset: UInt64, key: UInt32?, in packet: PacketRef) {
    guard message != nil, !payload.isEmpty else { return }
    message?.wireBytes &+= UInt64(truncatingIfNeeded: payload.count)
    guard isCompressed || content.isReading else { return content.count(payload.count) }
    guard let key, key != 0 else { return take(clear: payload, in: packet) }
    var bytes: [UInt8] = []
    swap(&bytes, &unmasked)
    bytes.removeAll(keepingCapacity: true)
    unmask(payload, key: key, at: offset, into: &bytes)
    take(clear: bytes.span, in: packet)
    swap(&bytes, &unmasked)
  }

  private mutating func take(clear bytes: Span<UInt8>, in packet: PacketRef) {
    guard isCompressed else { return content.take(bytes, in: packet) }
    for index in max(0, bytes.count - 4)..<bytes.count { tail.append(bytes[index]) }
    if tail.count > 4 { tail.removeFirst(tail.count - 4) }
    guard isInflated, let inflate else { return }
    inflate.decode(bytes) { content.take($0, in: packet) }
    noteTrouble(inflate, packet)
  }

  private mutating func noteTrouble(_ inflate: Inflate, _ packet: PacketRef) {
    if let far = inflate.tooFar, case .inflated? = message?.inflation {
      message?.inflation = .tooFar(
        distance: far.distance, limit: far.limit, isForgotten: far.isForgotten, packet)
    }
    switch inflate.state {
    case .running: return
    case .failed(let failure):
      // A reference that could not be followed is why.
      if isInflated, inflate.tooFar == nil { message?.inflation = .failed(failure.description, packet) }
    case .stopped:
      message?.inflation = .stopped(ratio: inflate.bytesOut / max(1, inflate.bytesIn), packet)
    case .notBuiltIn: message?.inflation = .unreadable
    }
    isOpaque = true
  }

  /// A data frame is over. Answers the message, where it was the last of it.
  mutating func end(_ frame: Frame) -> WebSocketMessage? {
    guard let start = message?.span.range.lowerBound else { return nil }
    message?.span.range = start..<max(start, frame.span.range.upperBound)
    message?.span.last = frame.span.last
    message?.released = frame.released
    guard frame.isComplete else { return taken() }
    guard frame.isFinal else {
      if frame.length == 0 { message?.emptyFragments += 1 }
      return nil
    }
    if isCompressed { endInflation(frame.released) }
    if !isCompressed || isInflated { content.finish(in: frame.released) }
    message?.isComplete = true
    return taken()
  }

  /// Also with a reference that reaches too far, as long as it could be followed.
  private var isInflated: Bool {
    switch message?.inflation {
    case .inflated: true
    case .tooFar: !isOpaque
    default: false
    }
  }

  private mutating func endInflation(_ packet: PacketRef) {
    message?.endsWithTail = tail == [0x00, 0x00, 0xFF, 0xFF]
    guard isInflated, let inflate else { return }
    _ = inflate.endMessage { content.take($0, in: packet) }
    noteTrouble(inflate, packet)
    guard isInflated, let wire = message?.wireBytes else { return }
    message?.finalBlocks = inflate.finalBlocks
    figures?.messages += 1
    figures?.compressed &+= wire
    figures?.inflated &+= content.bytes
    figures?.finalBlocks &+= inflate.finalBlocks
    if wire >= content.bytes {
      figures?.grown += 1
      figures?.growth &+= wire - content.bytes
    }
  }

  /// The message, as far as it came.
  mutating func taken() -> WebSocketMessage? {
    guard var taken = message else { return nil }
    message = nil
    taken.bytes = content.bytes
    taken.opening = content.opening
    taken.utf8 = content.fault
    // Half a message leaves a window that nobody can say anything about.
    if isCompressed, !taken.isComplete { isOpaque = true }
    return taken
  }
}

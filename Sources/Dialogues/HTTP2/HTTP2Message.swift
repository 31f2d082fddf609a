import Citation
import Events
import HTTPSemantics

/// A message of a stream while it is read, and nothing before that and behind it.
///
/// What reads a message takes more than a thousand bytes. A table of streams has places for both messages of as many
/// as there ever were at a time, and most of these are not there, or over.
struct HTTP2Message: Sendable {
  private var builder = Rare<MessageBuilder>()

  var isOpen: Bool { !builder.isEmpty }
  var head: MessageHead? { builder.isEmpty ? nil : builder.value.head }
  var first: PacketRef { builder.isEmpty ? .none : builder.value.first }
  @inline(__always)
  var bodyBytes: UInt64 { builder.isEmpty ? 0 : builder.value.bodyBytes }
  @inline(__always)
  var lastBody: PacketRef? { builder.isEmpty ? nil : builder.value.lastBody }
  var isInBody: Bool { !builder.isEmpty && builder.value.isInBody }
  var openBody: OpenBody? { builder.isEmpty ? nil : builder.value.openBody }

  mutating func countHeld() -> Int { builder.isEmpty ? 0 : builder.heldBytes + builder.value.countHeld() }

  mutating func dropContent() {
    if !builder.isEmpty { builder.value.readers.dropContent() }
  }

  /// Metered are requests.
  mutating func begin(_ direction: Direction, _ first: PacketRef, isMetered: Bool, _ options: DialogueOptions) {
    builder.make(MessageBuilder(isMetered: isMetered, options))
    builder.value.begin(direction, first)
  }

  mutating func take(_ head: MessageHead, expectsEvents: Bool = false) {
    if !builder.isEmpty { builder.value.take(head, expectsEvents: expectsEvents) }
  }

  mutating func take(trailers: HeaderBlock) {
    if !builder.isEmpty { builder.value.take(trailers: trailers) }
  }

  mutating func take(_ pause: StreamPause) {
    if !builder.isEmpty { builder.value.take(pause) }
  }

  @inline(__always)
  mutating func takeBody(_ range: Range<UInt64>, of chunk: borrowing CitedBytes) {
    if !builder.isEmpty { builder.value.takeBody(range, of: chunk) }
  }

  @inline(__always)
  mutating func takeFrame(_ bytes: UInt32, padding: UInt32, _ packet: PacketRef) {
    if !builder.isEmpty { builder.value.takeFrame(bytes, padding: padding, packet) }
  }

  mutating func tellPieces(of exchange: ExchangeKey, into events: inout [Event]) {
    if !builder.isEmpty { builder.value.tellPieces(of: exchange, into: &events) }
  }

  mutating func miss(_ count: UInt64) {
    if !builder.isEmpty { builder.value.miss(count) }
  }

  mutating func ended(_ end: MessageEnd) -> Message? {
    guard !builder.isEmpty else { return nil }
    defer { builder.remove() }
    return builder.value.ended(end)
  }
}

extension MessageBuilder {
  /// Takes bytes behind those that it has.
  @inline(__always)
  fileprivate mutating func takeBody(_ range: Range<UInt64>, of chunk: borrowing CitedBytes) {
    takeBody(range, bodyBytes, of: chunk)
  }
}

import Citation
import Events
import HTTPSemantics

/// Whether the chunks of an event stream, or of JSON lines, end where its events do.
///
/// A receiver that parses each read on its own works as long as they do. Two bytes are kept.
struct EventEdge: Sendable {
  private let kind: ItemType
  private var last: UInt8 = .lineFeed
  private var lastButReturn: UInt8 = .lineFeed
  private var chunkEnded = false

  /// nil for any other type.
  init?(_ head: MessageHead) {
    guard head.framing == .chunked, let type = ItemType(head), type != .messages else { return nil }
    kind = type
  }

  mutating func endChunk() { chunkEnded = true }

  /// Takes the next bytes; answers whether a chunk ended before them in the middle of an event.
  mutating func take(_ bytes: Span<UInt8>) -> Bool {
    let isSplit = chunkEnded && !isAtEdge
    chunkEnded = false
    for index in max(0, bytes.count - 4)..<bytes.count { note(bytes[index]) }
    return isSplit
  }

  /// CRLF counts as one line end; a lone CR, which event streams allow, as one, too.
  private mutating func note(_ byte: UInt8) {
    if byte == .lineFeed, last == .carriageReturn {
      last = byte
      return
    }
    lastButReturn = last
    last = byte
  }

  private var isAtEdge: Bool {
    let isEnd = last == .lineFeed || last == .carriageReturn
    switch kind {
    case .lines, .messages: return isEnd
    case .events: return isEnd && (lastButReturn == .lineFeed || lastButReturn == .carriageReturn)
    }
  }
}

import Events
import HTTPSemantics
import Trace

/// Whether the chunks of an event stream, or of JSON lines, end where its events do.
///
/// A receiver that parses each read on its own works as long as they do. Two bytes are kept.
struct EventEdge: Sendable {
  private enum Kind: Sendable { case events, lines }

  private let kind: Kind
  private var last: UInt8 = .lineFeed
  private var lastButReturn: UInt8 = .lineFeed
  private var chunkEnded = false

  /// nil for any other type.
  init?(_ head: MessageHead) {
    guard head.framing == .chunked, let type = head.block.first("content-type") else { return nil }
    let bytes = head.block.bytes.span
    let end = type.value.first { bytes[$0] == UInt8(ascii: ";") } ?? type.value.upperBound
    let name = FieldList.trim(bytes, type.value.lowerBound..<end)
    if matches(bytes, name, "text/event-stream") {
      kind = .events
    } else if matches(bytes, name, "application/x-ndjson") || matches(bytes, name, "application/ndjson")
      || matches(bytes, name, "application/jsonl") || matches(bytes, name, "application/x-jsonlines")
      || matches(bytes, name, "application/stream+json")
    {
      kind = .lines
    } else {
      return nil
    }
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
    case .lines: return isEnd
    case .events: return isEnd && (lastButReturn == .lineFeed || lastButReturn == .carriageReturn)
    }
  }
}

import Citation
import Events

/// A connection that a 101 turned into a WebSocket connection.
struct SocketUpgrade: Sendable {
  let opening: WebSocketOpening
  let path: String
  /// Where the first frame of the server stands, once the parser has said so.
  var start: UInt64?
}

/// What a client sent behind a request for WebSocket before the answer came: frames, if the answer says so. Kept until
/// then, because the request parser reads them as something else.
///
/// Bounded: of more than `limit` bytes nothing is kept, and the direction counts as lost.
struct EarlyBytes: Sendable {
  private static let limit = 64 << 10

  /// Where the bytes behind the request begin.
  private var start: UInt64?
  private(set) var pieces: [HeldChunk] = []
  private var held = 0
  private(set) var isOverfull = false
  /// The bytes behind the request, as far as they came.
  var range: Range<UInt64> { (start ?? 0)..<(start ?? 0) &+ UInt64(max(1, held)) }

  mutating func countHeld() -> Int { pieces.reduce(0) { $0 + $1.count + 96 } }

  /// The head of a request ended at an offset; nil when it does not ask for WebSocket.
  mutating func expect(_ end: UInt64?) {
    start = end
    pieces.removeAll()
    held = 0
    isOverfull = false
  }

  @inline(__always)
  mutating func note(_ chunk: borrowing CitedBytes) {
    if start != nil { keep(chunk) }
  }

  private mutating func keep(_ chunk: borrowing CitedBytes) {
    guard let start, chunk.offset &+ UInt64(chunk.bytes.count) > start else { return }
    let from = chunk.offset < start ? Int(truncatingIfNeeded: start &- chunk.offset) : 0
    held += chunk.bytes.count - from
    guard held <= Self.limit else {
      isOverfull = true
      pieces.removeAll()
      return
    }
    pieces.append(HeldChunk(chunk, from: from))
  }
}

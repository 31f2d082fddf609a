import Citation

/// One of a stream's own messages: a chunk, an event, a line, a WebSocket message or control frame, a record that stayed
/// shut. Told where a report wants each of them, and not only their figures.
package struct Item: Sendable {
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// Data of a chunked body, as its sender cut it.
    case chunk
    /// Of an event stream: an event, and a line that only keeps it alive.
    case event, comment
    /// Of newline-delimited JSON.
    case line
    /// WebSocket messages, joined from their frames.
    case text, binary
    case ping, pong, close
    /// Application data of TLS that nobody could open.
    case record

    package var name: String { String(describing: self) }
  }

  package var kind: Kind
  package var direction: Direction
  /// The exchange that it is of, or the connection alone.
  package var key = ExchangeKey(number: 0)
  package var first: PacketRef
  /// The packet that made it complete.
  package var completed: PacketRef
  /// As the application gets it.
  package var bytes: UInt64
  /// The name of an event; the code of a close.
  package var label = ""
  /// Its beginning, where previews are wanted; payload, which reports redact.
  package var preview: [UInt8] = []
  /// Of all it says, where it is a WebSocket message that is to be compared.
  package var hash: UInt64?

  package init(
    _ kind: Kind, _ direction: Direction, first: PacketRef, completed: PacketRef, bytes: UInt64
  ) {
    self.kind = kind
    self.direction = direction
    self.first = first
    // Sent again, the first byte may be the one that came last.
    self.completed = completed.number < first.number ? first : completed
    self.bytes = bytes
  }

  package var span: Int64 { completed.time.since(first.time) }
}

/// Whether pieces are told, and how many bytes of each are kept.
package struct PieceOptions: Sendable, Equatable {
  package var isTold = false
  package var previewLimit = 0
  /// What was said is to be held against another capture: bodies leave a trail, and WebSocket messages their hash.
  package var isCompared = false

  package init(isTold: Bool = false, previewLimit: Int = 0, isCompared: Bool = false) {
    self.isTold = isTold
    self.previewLimit = previewLimit
    self.isCompared = isCompared
  }
}

import Citation

/// One of a stream's own messages: a chunk, an event, a line, a message of gRPC or WebSocket, a control frame, a
/// record that was not decrypted. Reported if a report asked for each of them, not only for their figures.
package struct Item: Sendable {
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// Data of a chunked body, as its sender cut it.
    case chunk
    /// Of an event stream: an event, and a line that only keeps it alive.
    case event, comment
    /// Of newline-delimited JSON.
    case line
    /// A message of a call of gRPC.
    case grpc
    /// WebSocket messages, joined from their frames.
    case text, binary
    case ping, pong, close
    /// TLS application data that was not decrypted.
    case record

    package var name: String {
      switch self {
      case .chunk: "chunk"
      case .event: "event"
      case .comment: "comment"
      case .line: "line"
      case .grpc: "grpc"
      case .text: "text"
      case .binary: "binary"
      case .ping: "ping"
      case .pong: "pong"
      case .close: "close"
      case .record: "record"
      }
    }
  }

  package var kind: Kind
  package var direction: Direction
  /// The exchange that it is of, or the connection alone.
  package var key = ExchangeKey(number: 0)
  package var first: PacketRef
  /// The packet that made it complete.
  package var completed: PacketRef
  /// As delivered to the application.
  package var bytes: UInt64
  /// The name of an event; the code of a close; of a message of gRPC that it is compressed.
  package var label = ""
  /// Its first bytes, if previews are requested; payload, which reports redact.
  package var preview: [UInt8] = []
  /// A chunk of a body whose events or lines are items themselves.
  package var carriesItems = false
  /// Hash of a WebSocket message, if it is to be compared.
  package var hash: UInt64?

  package init(
    _ kind: Kind, _ direction: Direction, first: PacketRef, completed: PacketRef, bytes: UInt64
  ) {
    self.kind = kind
    self.direction = direction
    self.first = first
    // After a retransmission the first byte may have arrived last.
    self.completed = completed.number < first.number ? first : completed
    self.bytes = bytes
  }

  package var span: Int64 { completed.time.since(first.time) }
}

/// Whether pieces are reported, and how many bytes of each are kept.
package struct PieceOptions: Sendable, Equatable {
  package var isTold = false
  package var previewLimit = 0
  /// The capture is to be compared with another: bodies keep a trail, and WebSocket messages a hash.
  package var isCompared = false

  package init(isTold: Bool = false, previewLimit: Int = 0, isCompared: Bool = false) {
    self.isTold = isTold
    self.previewLimit = previewLimit
    self.isCompared = isCompared
  }
}

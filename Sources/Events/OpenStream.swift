import Citation

/// An open stream: a body that is not complete, or a WebSocket.
package struct OpenStream: Sendable {
  /// Of its connection.
  package var flow: FlowID
  /// The exchange that it is of, or the connection alone.
  package var key: ExchangeKey
  package var client: Endpoint
  package var server: Endpoint
  /// Of the bytes that are awaited.
  package var direction: Direction
  /// A media type, or another kind of stream.
  package var kind: String
  /// The request.
  package var title: String
  /// Without bytes for a while it is stalled: a WebSocket may well be silent.
  package var isBody: Bool
  package var first: PacketRef
  package var last: PacketRef
  package var bytes: UInt64
  /// Why it is silent, as far as is known.
  package var cause: StreamPause.Cause?

  package init(
    flow: FlowID, key: ExchangeKey, client: Endpoint, server: Endpoint, direction: Direction, kind: String,
    title: String,
    isBody: Bool, first: PacketRef, last: PacketRef, bytes: UInt64
  ) {
    self.flow = flow
    self.client = client
    self.server = server
    self.key = key
    self.direction = direction
    self.kind = kind
    self.title = title
    self.isBody = isBody
    self.first = first
    self.last = last
    self.bytes = bytes
  }
}

/// A stalled stream: reported while it lasts.
package struct StreamStall: Sendable {
  package var stream: OpenStream
  /// How long it had been silent when it was reported.
  package var nanoseconds: Int64

  package init(_ stream: OpenStream, nanoseconds: Int64) {
    self.stream = stream
    self.nanoseconds = nanoseconds
  }
}

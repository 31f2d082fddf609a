import Citation

/// A stream that is going on: what of a body came so far, or a WebSocket.
package struct OpenStream: Sendable {
  /// Of its connection.
  package var flow: FlowID
  /// The exchange that it is of, or the connection alone.
  package var key: ExchangeKey
  package var client: Endpoint
  package var server: Endpoint
  /// Of the bytes that are awaited.
  package var direction: Direction
  /// A media type, or what else it is.
  package var kind: String
  /// What was asked for.
  package var title: String
  /// Without bytes for a while it is stalled: a WebSocket may well be silent.
  package var isBody: Bool
  package var first: PacketRef
  package var last: PacketRef
  package var bytes: UInt64
  /// Why nothing comes, as far as one can tell.
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

/// An open stream of which nothing comes: told while it is so.
package struct StreamStall: Sendable {
  package var stream: OpenStream
  /// How long nothing came when it was told.
  package var nanoseconds: Int64

  package init(_ stream: OpenStream, nanoseconds: Int64) {
    self.stream = stream
    self.nanoseconds = nanoseconds
  }
}

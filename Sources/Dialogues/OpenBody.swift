import Citation
import Events

/// What there is of a body, or of one side of a WebSocket, that is not over.
package struct OpenBody: Sendable {
  package var direction: Direction
  /// A media type, or what else it is.
  package var kind: String
  package var first: PacketRef
  package var last: PacketRef
  package var bytes: UInt64
  package var key = ExchangeKey(number: 0)
  /// What was asked for.
  package var title = ""
  /// Why it is silent, where what carries it knows.
  package var cause: StreamPause.Cause?

  package var isSocket: Bool { kind == "websocket" }

  init(direction: Direction, kind: String, first: PacketRef, last: PacketRef, bytes: UInt64) {
    self.direction = direction
    self.kind = kind
    self.first = first
    self.last = last
    self.bytes = bytes
  }
}

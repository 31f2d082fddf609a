/// The name of an exchange: the connection that carries it and its number there.
///
/// Records, items, frames, open streams and joined hops all name an exchange by this key. Inside a lane the connection
/// is the one at hand and has no number yet; the merger sets it.
package struct ExchangeKey: Hashable, Comparable, Sendable {
  /// As people see it; 0 until the merger has numbered the connection.
  package var connection: Int
  /// From 1, in the order of requests on the connection; 0 for what belongs to no exchange that was captured.
  package var number: Int
  /// The protocol's identifier of the stream that carries the exchange; nil where a connection carries one exchange
  /// after the other. It follows from connection and number, which alone decide whether two keys are equal.
  package var stream: UInt32?

  package init(connection: Int = 0, number: Int, stream: UInt32? = nil) {
    self.connection = connection
    self.number = number
    self.stream = stream
  }

  package static func == (left: ExchangeKey, right: ExchangeKey) -> Bool {
    left.number == right.number && left.connection == right.connection
  }
  package static func != (left: ExchangeKey, right: ExchangeKey) -> Bool { !(left == right) }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(connection)
    hasher.combine(number)
  }

  package static func < (left: ExchangeKey, right: ExchangeKey) -> Bool {
    (left.connection, left.number) < (right.connection, right.number)
  }

  /// It names an exchange that was captured.
  package var isKnown: Bool { number > 0 }
}

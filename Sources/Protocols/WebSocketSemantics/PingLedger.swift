/// Pings of one sender that were not answered yet, oldest first.
///
/// A pong answers the oldest ping with its payload, and with it all before: a peer that has many to answer may answer the
/// last one only (RFC 6455 §5.5.3). Bounded: of a flood the oldest are forgotten.
package struct PingLedger: Sendable {
  private static let limit = 64

  package private(set) var open: [Frame] = []
  package private(set) var hasForgotten = false

  package init() {}

  package mutating func note(_ ping: Frame) {
    if open.count == Self.limit {
      open.removeFirst()
      hasForgotten = true
    }
    open.append(ping)
  }

  /// The ping that a pong answers.
  package mutating func answer(_ pong: Frame) -> Frame? {
    guard let at = open.firstIndex(where: { $0.control == pong.control }) else { return nil }
    defer { open.removeFirst(at + 1) }
    return open[at]
  }
}

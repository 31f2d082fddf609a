import Citation
import Events

/// Which requests that a server lost were repeated on a new connection, and answered.
///
/// A lost request is known when its connection is over, some time after its repetition; so the first requests of connections
/// are remembered, the newest of them, in a ring: most captures have many and lose none.
struct Repetitions: Sendable {
  struct Asking: Sendable {
    let leg: ExchangeKey
    let same: RequestKey.Same
    let agent: Int
    let first: PacketRef
    let body: RetriedRequest.Body

    /// How long after this one the other asks for the same.
    func delay(to other: Asking) -> Int64? {
      guard other.same == same, other.leg.connection != leg.connection, other.agent == agent, body.mayBe(other.body),
        other.first.number > first.number
      else { return nil }
      return other.first.time.since(first.time)
    }
  }

  private static let lostLimit = 64
  private static let answeredLimit = 512

  private var lost: [(asking: Asking, delay: Int64?)] = []
  private var answered: [Asking] = []
  private var oldest = 0

  func delay(of leg: ExchangeKey) -> Int64? { lost.last { $0.asking.leg == leg }?.delay }

  /// The first request of a connection was answered.
  mutating func note(answered asking: Asking, within patience: Int64) {
    for at in lost.indices { settle(at, asking, patience) }
    if answered.count < Self.answeredLimit {
      answered.append(asking)
    } else {
      answered[oldest] = asking
      oldest = oldest + 1 == Self.answeredLimit ? 0 : oldest + 1
    }
  }

  /// The server ended the connection of a request that may be repeated.
  mutating func note(lost asking: Asking, within patience: Int64) {
    if lost.count == Self.lostLimit { lost.removeFirst() }
    lost.append((asking, nil))
    for other in answered { settle(lost.count - 1, other, patience) }
  }

  private mutating func settle(_ at: Int, _ other: Asking, _ patience: Int64) {
    guard let delay = lost[at].asking.delay(to: other), delay <= patience, delay < lost[at].delay ?? .max else {
      return
    }
    lost[at].delay = delay
  }
}

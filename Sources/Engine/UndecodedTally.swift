import Events

/// Bodies whose content was not decoded, or not to its end, because of what this program is and not of what they are.
struct UndecodedTally: Sendable {
  private var large: UInt64 = 0
  /// By reason; there are few.
  private var reasons: [String: UInt64] = [:]
  private static let reasonLimit = 8
  private var sockets: UInt64 = 0
  private let readsFrames: Bool

  init(readsFrames: Bool) {
    self.readsFrames = readsFrames
  }

  mutating func add(_ exchange: ExchangeRecord) {
    if !readsFrames, exchange.opensWebSocket { sockets += 1 }
    if let content = exchange.request?.content { add(content) }
    if let content = exchange.response?.content { add(content) }
  }

  private mutating func add(_ content: ContentRecord) {
    switch content.outcome {
    case .limitReached: large += 1
    case .notDecoded(let reason):
      guard reasons[reason] != nil || reasons.count < Self.reasonLimit else { return }
      reasons[reason, default: 0] += 1
    default: break
    }
  }

  /// As the capture's limits name them.
  var words: [String] {
    var words: [String] = []
    if sockets > 0 {
      words.append(
        "\(Wording.count(sockets, "WebSocket")) only counted, because the capture is large (--frames reads them)")
    }
    if large > 0 { words.append("\(Wording.count(large, "body", "bodies")) decoded for 16 MiB only") }
    for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) {
      words.append("\(Wording.count(count, "body", "bodies")) not decoded: \(reason)")
    }
    return words
  }
}

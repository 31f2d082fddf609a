import Citation
import Events

/// What was not decoded, or not to its end, because of what this program is and not of what was sent: the content of
/// bodies.
struct UndecodedTally: Sendable {
  private var large: UInt64 = 0
  /// By reason; there are few.
  private var reasons: [String: UInt64] = [:]
  private static let reasonLimit = 8

  mutating func add(_ exchange: ExchangeRecord) {
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
    if large > 0 { words.append("\(Wording.count(large, "body", "bodies")) decoded up to 16 MiB only") }
    for (reason, count) in reasons.sorted(by: { $0.key < $1.key }) {
      words.append("\(Wording.count(count, "body", "bodies")) not decoded: \(reason)")
    }
    return words
  }
}

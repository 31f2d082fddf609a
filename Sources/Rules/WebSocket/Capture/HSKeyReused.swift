import Citation
import Events
import HTTPSemantics

/// A key that is used again.
enum HSKeyReused: KeyMatchRule {
  static let info = RuleInfo(
    id: "ws/hs-key-reused", severity: .warning,
    summary: "Two connections use the same Sec-WebSocket-Key.",
    explanation: """
      The key is to be random for each connection, so that no cached or replayed 101 can pass for an answer. A key that comes \
      again is a constant in a client's code, often the sample of RFC 6455, or a request that was replayed.
      """,
    evidence: """
      The key of both. Where the second request begins inside the first one's handshake, it is the same request behind a \
      proxy: ws/proxy-hop.
      """,
    fix: "Client: make sixteen random bytes for every connection.", specifications: [.webSocket("4.1")], since: "0.1")

  static func judge(_ match: KeyMatch, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let (first, second) = (match.first, match.second)
    guard !match.areHops, let one = first.upgrade.key, let other = second.upgrade.key else { return }
    report(
      Finding(
        info, subject: .connection(second.context.id), exchange: second.upgrade.exchange.number, direction: .toServer,
        FindingMessage(
          "\(second.upgrade.exchange.title): the key is that of connection #\(first.context.number)."), cost: .none,
        fix: info.fix,
        evidence: [first.upgrade.field(one, "the key"), second.upgrade.field(other, "the same key again")]
      ).on(second.context.number))
  }
}

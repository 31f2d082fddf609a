import Citation
import Events
import HTTPSemantics

/// A handshake behind a proxy.
enum ProxyHop: KeyMatchRule {
  static let info = RuleInfo(
    id: "ws/proxy-hop", severity: .note,
    summary: "Two connections are the two hops of one WebSocket.",
    explanation: """
      A proxy passes Sec-WebSocket-Key on as it is, so that both hops of a handshake can be found in one capture. What \
      is late, changed or cut on the way is then the proxy's or the server's, and the two hops show whose.
      """,
    evidence: "The key on the hop to the client, and on the hop to the server.",
    fix: "No action needed; compare the two connections.", specifications: [.webSocket("4.1")], since: "0.1")

  static func judge(_ match: KeyMatch, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let (outer, inner) = (match.first, match.second)
    guard match.areHops, let asked = outer.upgrade.key, let passed = inner.upgrade.key else { return }
    let added: String
    if let whole = outer.upgrade.exchange.wait, let behind = inner.upgrade.exchange.wait, whole >= behind {
      added = "; of \(Wording.duration(whole)) the handshake took, the proxy added \(Wording.duration(whole - behind))"
    } else {
      added = ""
    }
    report(
      Finding(
        info, subject: .connection(outer.context.id), exchange: outer.upgrade.exchange.number, direction: .toServer,
        FindingMessage(
          "\(outer.upgrade.exchange.title): connection #\(inner.context.number) carries the same handshake behind a proxy\(added)."
        ),
        cost: .none,
        evidence: [
          outer.upgrade.field(asked, "from the client"), inner.upgrade.field(passed, "the same, behind the proxy"),
        ]
      ).on(outer.context.number))
  }
}

import Citation
import Events
import HTTPSemantics

/// A server that closes idle connections before its proxy does.
enum KeepaliveShorterThanProxy: IdleClosesRule {
  static let info = RuleInfo(
    id: "http/keepalive-shorter-than-proxy", severity: .warning, confidence: .medium,
    summary: "The server closes idle connections that a proxy keeps for reuse.",
    explanation: """
      A proxy or load balancer keeps idle connections for about a minute and expects the server to keep them longer. \
      This server closes first, so now and then a request meets the close, and a user gets a 502 that is hard to \
      reproduce.
      """,
    evidence: """
      The ends of the last exchanges, and the server's FINs. That the client is a proxy shows in its own fields (Via, \
      X-Forwarded-For and their like).
      """,
    fix: """
      Server: set its keep-alive timeout above the proxy's (Node: server.keepAliveTimeout, gunicorn: --keep-alive, nginx \
      upstream: keepalive_timeout), or let the proxy drop idle connections sooner.
      """,
    specifications: [
      Specification("RFC 9112 §9.5", "https://www.rfc-editor.org/rfc/rfc9112#section-9.5")
    ],
    thresholds: [.poolIdle, .idleReuse], since: "0.1")

  static func judge(_ closes: ConnectionReuse.IdleCloses, _ thresholds: Thresholds, report: (Finding) -> Void) {
    // One may be a restart.
    guard closes.count > 1 else { return }
    var finding = Finding(
      info, subject: .connection(closes.id), direction: .toClient,
      """
      The server closed \(Wording.count(closes.count, "idle connection")) of a proxy after \
      \(Wording.duration(closes.shortest)) to \(Wording.duration(closes.longest)); proxies keep them for about a minute.
      """, cost: .none, fix: info.fix,
      evidence: closes.cited.flatMap {
        [
          Evidence(.packet($0.last, nil), "the last exchange ends"),
          Evidence(.packet($0.fin, .toClient), "the server closes"),
        ]
      })
    finding.count = closes.count
    report(finding.on(closes.connection))
  }
}

extension Threshold {
  static let poolIdle = Threshold(
    "http.pool-idle", .nanoseconds, 60_000_000_000, "proxies keep idle connections about this long")
}

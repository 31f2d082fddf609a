import Events

/// A server that does not know pings.
enum DropAfterPing: DropRule {
  static let info = RuleInfo(
    id: "ws/drop-after-ping", severity: .error, summary: "The server closed the connection after a ping.",
    explanation: """
      A ping is to be answered with a pong at any time. Clients and proxies use pings to keep connections alive, which end \
      this one. \(DropRow.unnoticed)
      """,
    evidence: DropRow.evidence, fix: "Server: answer each ping with a pong of the same payload.",
    specifications: DropRow.specifications, thresholds: [.dropAfter], since: "0.1")

  static let row = DropRow(.ping, "a ping")
}

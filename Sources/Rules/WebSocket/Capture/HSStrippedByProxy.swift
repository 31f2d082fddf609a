import Citation
import Events
import HTTPSemantics

/// A proxy that takes the upgrade out.
enum HSStrippedByProxy: KeyMatchRule, ComparisonRule {
  static let info = RuleInfo(
    id: "ws/hs-stripped-by-proxy", severity: .warning,
    summary: "A proxy took the upgrade out of a request for WebSocket.",
    explanation: """
      The client's request is valid; behind the proxy the same request, with the same key, has no Upgrade, no \
      Connection: Upgrade, or is HTTP/1.0. Upgrade concerns one hop, and a proxy drops it unless it is configured to \
      forward it.
      """,
    evidence: "The two request lines, and what is left of the fields behind the proxy.",
    fix: """
      Proxy: nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade"; \
      Apache: ProxyPass with upgrade=websocket.
      """,
    specifications: [.http("7.6.1"), .webSocket("4.1")], since: "0.1")

  static func judge(_ match: KeyMatch, _ thresholds: Thresholds, report: (Finding) -> Void) {
    let lost = match.lost
    guard !lost.isEmpty else { return }
    let outer = match.first
    let behind = match.second.upgrade
    report(
      Finding(
        info, subject: .connection(outer.context.id), exchange: outer.upgrade.exchange.number, direction: .toServer,
        FindingMessage(
          "\(outer.upgrade.exchange.title): the proxy passed the request on as connection #\(match.second.context.number), and \(lost.joined(separator: ", "))."
        ), cost: match.isRefused ? .failed(.exchange) : .none, fix: info.fix,
        evidence: outer.upgrade.line("to the proxy") + behind.line("behind it")
          + [behind.block.first("connection").map { behind.field($0, "behind it") }].compactMap { $0 }
      ).on(outer.context.number))
  }
}

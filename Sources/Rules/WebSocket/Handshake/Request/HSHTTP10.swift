import Citation
import Events
import HTTPSemantics

/// A handshake in HTTP/1.0.
enum HSHTTP10: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-http10", severity: .error,
    summary: "A request for WebSocket is sent in a version of HTTP that has no upgrade.",
    explanation: """
      Upgrade came with HTTP/1.1. A server ignores it in HTTP/1.0, or refuses with 400 or 505. Hardly any client does \
      that by itself: a proxy between rewrote the request. nginx speaks HTTP/1.0 to its upstreams unless \
      proxy_http_version is set.
      """,
    evidence: "The request line with its version.",
    fix: "Proxy: speak HTTP/1.1 to the server and forward the upgrade (nginx: proxy_http_version 1.1).",
    specifications: [.webSocket("4.1"), .http("7.8")], since: "0.1")

  static let refusalRank: Int? = 20

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.head.version < .http11 else { return nil }
    return HandshakeFault(
      "the request for WebSocket is sent as HTTP/\(upgrade.head.version), which has no upgrade",
      upgrade.line("the version"))
  }
}

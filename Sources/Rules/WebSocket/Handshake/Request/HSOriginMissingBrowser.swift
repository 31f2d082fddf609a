import Citation
import Events
import HTTPSemantics

/// A browser that does not say from which site its page is.
enum HSOriginMissingBrowser: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-origin-missing-browser", severity: .warning, confidence: .medium,
    summary: "A browser's request for WebSocket has no Origin.",
    explanation: """
      Every browser sends Origin with the handshake. Without it, a proxy took it out, and the server can no longer \
      distinguish its own pages from foreign ones; or a program calls itself a browser. Servers that check refuse with \
      403.
      """,
    evidence: "The User-Agent of a browser, and no Origin beside it.",
    fix: "Proxy: pass Origin on. Client: a program that is no browser should not call itself one.",
    specifications: [.webSocket("4.1"), .webSocket("10.2")], since: "0.1")

  static let refusalRank: Int? = nil

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.block.first("origin") == nil, upgrade.block.first("sec-websocket-origin") == nil,
      upgrade.head.isBrowsers, let agent = upgrade.block.first("user-agent")
    else { return nil }
    return HandshakeFault(
      "the client calls itself a browser, and sends no Origin", [upgrade.field(agent, "a browser, and no Origin")])
  }
}

import Citation
import Events
import HTTPSemantics

/// A handshake without a version.
enum HSVersionMissing: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-version-missing", severity: .error,
    summary: "A request for WebSocket does not say which version it speaks.",
    explanation: """
      Sec-WebSocket-Version: 13 is the protocol of RFC 6455. Servers refuse a request without it, or take it for one of the \
      drafts. A test written by hand usually lacks it.
      """,
    evidence: "The request line. Requests of the drafts 75 and 76, which had no such field, are ws/hs-hixie-request.",
    fix: "Client: send Sec-WebSocket-Version: 13.", specifications: [.webSocket("4.1"), .webSocket("4.4")],
    since: "0.1")

  static let refusalRank: Int? = 70

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.era == .standard, upgrade.block.first("sec-websocket-version") == nil else { return nil }
    return HandshakeFault("Sec-WebSocket-Version is missing", upgrade.line("a head without Sec-WebSocket-Version"))
  }
}

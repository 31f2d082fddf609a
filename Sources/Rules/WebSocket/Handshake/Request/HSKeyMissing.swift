import Citation
import Events
import HTTPSemantics

/// A handshake without a key.
enum HSKeyMissing: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-key-missing", severity: .error,
    summary: "A request for WebSocket has no key.",
    explanation: """
      The server answers with a digest of Sec-WebSocket-Key, which proves that it understood the request. Without a key \
      there is nothing to answer, and it has to refuse.
      """,
    evidence: "The request line. Requests of the drafts, which had other keys, are ws/hs-hixie-request.",
    fix: "Client: send Sec-WebSocket-Key with sixteen random bytes in Base64, fresh for each connection.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static let refusalRank: Int? = 90

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.era == .standard, upgrade.block.first("sec-websocket-key") == nil else { return nil }
    return HandshakeFault("Sec-WebSocket-Key is missing", upgrade.line("a head without Sec-WebSocket-Key"))
  }
}

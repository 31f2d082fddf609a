import Citation
import Events
import HTTPSemantics

/// An upgrade that Connection does not name.
enum HSConnectionMissing: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-connection-missing", severity: .error,
    summary: "A request for WebSocket does not name the upgrade in Connection.",
    explanation: """
      A server acts on Upgrade only where Connection names it: the field may have been forwarded by a proxy that did \
      not know it. Connection: close in its place is what a proxy writes that is not configured to forward the \
      upgrade.
      """,
    evidence: """
      The Connection field, or the request line where there is none. "keep-alive, Upgrade" is fine, and Firefox writes it.
      """, fix: WebSocketTexts.forward, specifications: [.webSocket("4.1"), .http("7.6.1")], since: "0.1")

  static let refusalRank: Int? = 40

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard !upgrade.namesUpgrade else { return nil }
    guard let field = upgrade.block.first("connection") else {
      return HandshakeFault("there is no Connection field", upgrade.line("no Connection: Upgrade"))
    }
    return HandshakeFault(
      "Connection is \"\(upgrade.block.shown(field))\" and not Upgrade", [upgrade.field(field, "without Upgrade")])
  }
}

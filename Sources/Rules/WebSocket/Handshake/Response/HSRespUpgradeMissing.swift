import Citation
import Events
import HTTPSemantics

/// A 101 that does not say to what it switches.
enum HSRespUpgradeMissing: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-resp-upgrade-missing", severity: .error,
    summary: "A 101 does not say that it switches to WebSocket.",
    explanation: """
      101 switches to what Upgrade names; without Upgrade: websocket the client does not know to what, and drops the \
      connection. A proxy that takes hop-by-hop fields out of responses does that.
      """,
    evidence: "The Upgrade field, or the status line where there is none.",
    fix: "Server: send Upgrade: websocket with the 101. Proxy: forward it.", specifications: [.webSocket("4.1")],
    since: "0.1")

  static let rejectionRank: Int? = 30

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard !answer.block.contains("websocket", in: "upgrade") else { return nil }
    if let field = answer.block.first("upgrade"), let evidence = upgrade.answered(field, "not websocket") {
      return HandshakeFault("the 101 switches to \"\(answer.block.shown(field))\"", [evidence])
    }
    return HandshakeFault("the 101 has no Upgrade: websocket", upgrade.statusLine("without Upgrade"))
  }
}

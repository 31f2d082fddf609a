import Citation
import Events
import HTTPSemantics

/// A 101 whose upgrade Connection does not name.
enum HSRespConnectionMissing: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-resp-connection-missing", severity: .error,
    summary: "A 101 does not name the upgrade in Connection.",
    explanation: "Clients look for Connection: Upgrade in the 101, and drop the connection without it.",
    evidence: "The Connection field, or the status line where there is none.",
    fix: "Server: send Connection: Upgrade with the 101. Proxy: forward it.", specifications: [.webSocket("4.1")],
    since: "0.1")

  static let rejectionRank: Int? = 40

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard !answer.block.contains("upgrade", in: "connection") else { return nil }
    if let field = answer.block.first("connection"), let evidence = upgrade.answered(field, "without Upgrade") {
      return HandshakeFault("Connection in the 101 is \"\(answer.block.shown(field))\" and not Upgrade", [evidence])
    }
    return HandshakeFault("the 101 has no Connection: Upgrade", upgrade.statusLine("without Connection"))
  }
}

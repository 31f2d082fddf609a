import Citation
import Events
import HTTPSemantics

/// A version where it means nothing.
enum HSVersionIn101: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-version-in-101", severity: .note,
    summary: "A 101 has Sec-WebSocket-Version.",
    explanation: """
      The field lists what a server speaks when it refuses a version. In a 101 it means nothing, and clients ignore it.
      """,
    evidence: "The field in the 101.", fix: "Server: send it with 400 or 426 only.",
    specifications: [.webSocket("4.4")],
    since: "0.1")

  static let rejectionRank: Int? = nil

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard let field = answer.block.first("sec-websocket-version") else { return nil }
    return HandshakeFault(
      "the 101 names version \(answer.block.shown(field))",
      [upgrade.answered(field, "means nothing here")].compactMap { $0 })
  }
}

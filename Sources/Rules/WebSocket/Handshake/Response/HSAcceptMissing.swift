import Citation
import Events
import HTTPSemantics

/// A 101 without the proof.
enum HSAcceptMissing: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-accept-missing", severity: .error,
    summary: "A 101 has no Sec-WebSocket-Accept.",
    explanation: """
      The digest proves that the server understood the key and did not merely pass a 101 on. Clients drop the connection \
      without it; APIs show 1006.
      """,
    evidence: "The status line of the 101. An answer to a draft of 2010, which had another proof, is left alone.",
    fix: "Server: answer the key with Sec-WebSocket-Accept.", specifications: [.webSocket("4.1")], since: "0.1")

  static let rejectionRank: Int? = 10

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.era == .standard, upgrade.key != nil, answer.block.first("sec-websocket-accept") == nil else {
      return nil
    }
    return HandshakeFault("the 101 has no Sec-WebSocket-Accept", upgrade.statusLine("without the proof"))
  }
}

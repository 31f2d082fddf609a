import Citation
import Events
import HTTPSemantics

/// Subprotocols that were offered for nothing.
enum HSSubprotocolIgnored: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-subprotocol-ignored", severity: .warning,
    summary: "The client offered subprotocols, and the server selected none.",
    explanation: """
      RFC 6455 lets a server do without, and browsers do not: they close the connection right behind the 101, before any \
      frame, and the API shows 1006. Other clients go on.
      """,
    evidence: "The offer, and the 101 without a selection.",
    fix: "Server: select one of the names offered. Client: offer none where the server has none.",
    specifications: [.webSocketAPI, .webSocket("4.1")], since: "0.1")

  static let rejectionRank: Int? = 80

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard let offer = upgrade.block.first("sec-websocket-protocol"),
      !upgrade.block.tokens("sec-websocket-protocol").isEmpty,
      answer.block.first("sec-websocket-protocol") == nil
    else { return nil }
    return HandshakeFault(
      "of the subprotocols offered the server selected none",
      [upgrade.field(offer, "the offer")] + upgrade.statusLine("without Sec-WebSocket-Protocol"))
  }
}

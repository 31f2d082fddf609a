import Citation
import Events
import HTTPSemantics

/// A subprotocol that was not offered.
enum HSSubprotocolUnrequested: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-subprotocol-unrequested", severity: .error,
    summary: "The server selected a subprotocol that the client had not offered.",
    explanation: """
      The client must drop the connection then, and browsers do; the API shows 1006. Names are compared letter by letter. \
      Servers with a fixed subprotocol, and proxies that take the offer out of the request, cause it.
      """,
    evidence: "The offer, where there is one, and the selection.",
    fix:
      "Server: select one of the names offered, in the same letters, or none. Proxy: pass Sec-WebSocket-Protocol on.",
    specifications: [.webSocket("4.1"), .webSocket("4.2.2")], since: "0.1")

  static let rejectionRank: Int? = 60

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard let field = answer.block.first("sec-websocket-protocol"),
      answer.block.all("sec-websocket-protocol").count == 1
    else { return nil }
    let selected = answer.block.tokens("sec-websocket-protocol")
    guard selected.count == 1, !upgrade.block.tokens("sec-websocket-protocol").contains(selected[0]) else { return nil }
    let offer = upgrade.block.first("sec-websocket-protocol")
    return HandshakeFault(
      "the server selected a subprotocol that \(offer == nil ? "the client did not offer" : "was not offered")",
      [offer.map { upgrade.field($0, "the offer") }, upgrade.answered(field, "the selection")].compactMap { $0 })
  }
}

import Citation
import Events
import HTTPSemantics

/// Several subprotocols for one connection.
enum HSSubprotocolMultiple: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-subprotocol-multiple", severity: .error,
    summary: "The server selected more than one subprotocol.",
    explanation: """
      A connection speaks one subprotocol or none. Servers that echo the whole offer do this, and clients drop the \
      connection or take the list for an unknown name.
      """,
    evidence: "The selection.", fix: "Server: select one of the names offered.",
    specifications: [.webSocket("4.1"), .webSocket("11.3.4")], since: "0.1")

  static let rejectionRank: Int? = 70

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    let fields = answer.block.all("sec-websocket-protocol")
    let selected = answer.block.tokens("sec-websocket-protocol")
    guard let field = fields.first, fields.count > 1 || selected.count > 1 else { return nil }
    return HandshakeFault(
      "the server selected \(selected.count) subprotocols",
      [upgrade.answered(field, "one of \(selected.count)")].compactMap { $0 })
  }
}

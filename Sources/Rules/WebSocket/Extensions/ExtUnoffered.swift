import Citation
import Events
import HTTPSemantics

/// An extension that was not offered.
enum ExtUnoffered: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/ext-unoffered", severity: .error,
    summary: "The server uses an extension that the client had not offered.",
    explanation:
      "\(WebSocketTexts.fails) Where a proxy takes the offer out of the request, a correct server does not do this, and a "
      + "server with a fixed answer does.",
    evidence: "The offer, where there is one, and the answer.",
    fix: "Server: answer only what was offered. Proxy: take Sec-WebSocket-Extensions out of both or of none.",
    specifications: [.webSocket("9.1"), .deflate("5")], since: "0.1")

  static let rejectionRank: Int? = 90

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    let offered = Set(ExtensionList(upgrade.block).elements.map { $0.name.lowercased() })
    guard let element = ExtensionList(answer.block).elements.first(where: { !offered.contains($0.name.lowercased()) })
    else { return nil }
    return upgrade.fault("the server uses \(HeaderBlock.shown(element.name)), which was not offered", in: element)
  }
}

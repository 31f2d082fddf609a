import Citation
import Events
import HTTPSemantics

/// Compression on other terms.
enum ExtOfferNotHonoured: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/ext-offer-not-honoured", severity: .error,
    summary: "The server accepted compression on other terms than the client offered.",
    explanation: """
      server_no_context_takeover and server_max_window_bits in an offer are conditions: a client with little memory asks \
      for them. A server that cannot meet them declines the offer. \(WebSocketTexts.fails)
      """,
    evidence: "The offer, and the answer.", fix: "Server: repeat the conditions in the answer, or decline the offer.",
    specifications: [.deflate("7.1.1.1"), .deflate("7.1.2.1")], since: "0.1")

  static let rejectionRank: Int? = 150

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    let offers = ExtensionList(upgrade.block).elements.filter(\.isDeflate)
    guard !offers.isEmpty, let element = answer.acceptedDeflate,
      !offers.contains(where: { DeflateParameters.satisfies(element, $0) })
    else { return nil }
    return upgrade.fault("the answer meets none of the client's offers of permessage-deflate", in: element)
  }
}

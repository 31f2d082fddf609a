import Citation
import Events
import HTTPSemantics

/// A window that the client cannot limit.
enum ExtClientWindowUnoffered: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/ext-client-window-unoffered", severity: .error,
    summary: "The server limits the client's window, and the client had not offered that.",
    explanation: "client_max_window_bits in an answer is allowed only where the offer has it. \(WebSocketTexts.fails)",
    evidence: "The offer, and the answer.",
    fix: "Server: send client_max_window_bits only to clients that offered it.",
    specifications: [.deflate("7.1.2.2")],
    since: "0.1")

  static let rejectionRank: Int? = 140

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    let offers = ExtensionList(upgrade.block).elements.filter(\.isDeflate)
    guard !offers.isEmpty, offers.allSatisfy({ $0.parameter("client_max_window_bits") == nil }),
      let element = answer.acceptedDeflate, element.parameter("client_max_window_bits") != nil
    else { return nil }
    return upgrade.fault("the server answered client_max_window_bits, which the client had not offered", in: element)
  }
}

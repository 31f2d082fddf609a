import Citation
import Events
import HTTPSemantics

/// An extension that was accepted twice.
enum ExtDuplicate: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/ext-duplicate", severity: .error,
    summary: "The server uses an extension twice.",
    explanation:
      "\(WebSocketTexts.fails) Servers that echo an offer with alternatives, instead of picking one, do this.",
    evidence: "The answer.", fix: "Server: accept one of the client's alternatives.",
    specifications: [.deflate("5"), .webSocket("9.1")], since: "0.1")

  static let rejectionRank: Int? = 100

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    var seen: Set<String> = []
    guard
      let element = ExtensionList(answer.block).elements.first(where: { !seen.insert($0.name.lowercased()).inserted })
    else { return nil }
    return upgrade.fault("the server accepted \(HeaderBlock.shown(element.name)) more than once", in: element)
  }
}

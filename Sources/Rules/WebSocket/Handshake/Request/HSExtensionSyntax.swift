import Citation
import Events
import HTTPSemantics

/// An offer of extensions that does not parse.
enum HSExtensionSyntax: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-extension-syntax", severity: .error,
    summary: "A client's offer of extensions does not follow the grammar.",
    explanation: """
      An offer is a name, and parameters behind semicolons, each a name with or without a value that is a token, quoted or \
      not. A server has to refuse what does not parse, and some ignore the whole field: no compression then.
      """,
    evidence: "The field.", fix: "Client: write name; parameter; parameter=value, parted by commas.",
    specifications: [.webSocket("9.1")], since: "0.1")

  static let refusalRank: Int? = 130

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard let fault = ExtensionList(upgrade.block).fault else { return nil }
    return HandshakeFault("in Sec-WebSocket-Extensions, \(fault.what)", [upgrade.field(fault.field, fault.what)])
  }
}

import Citation
import Events
import HTTPSemantics

/// A handshake of another version.
enum HSVersionNot13: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-version-not-13", severity: .error,
    summary: "A request for WebSocket asks for a version other than 13.",
    explanation: """
      13 is the only version there is since 2011. 7 and 8 are drafts 07 to 12, smaller figures older ones. Servers answer 400 \
      or 426 and name what they speak.
      """,
    evidence: "The field with its value.", fix: "Client: use a library that speaks version 13.",
    specifications: [.webSocket("4.1"), .webSocket("4.4")], since: "0.1")

  static let refusalRank: Int? = 80

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard let field = upgrade.block.first("sec-websocket-version"), upgrade.block.value(field) != "13" else {
      return nil
    }
    return HandshakeFault(
      "the client asks for WebSocket version \"\(upgrade.block.shown(field))\"; servers speak 13",
      [upgrade.field(field, "not 13")])
  }
}

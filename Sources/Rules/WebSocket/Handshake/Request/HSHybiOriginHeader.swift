import Citation
import Events
import HTTPSemantics

/// The field of the drafts for Origin.
enum HSHybiOriginHeader: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-hybi-origin-header", severity: .note,
    summary: "A request names its origin in the field of the drafts.",
    explanation: """
      Sec-WebSocket-Origin was the name up to draft 10; since then the field is Origin. A server that checks Origin sees \
      none.
      """,
    evidence: "The field.", fix: "Client: send Origin, and use a current library.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static let refusalRank: Int? = nil

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard let field = upgrade.block.first("sec-websocket-origin") else { return nil }
    return HandshakeFault("the origin stands in Sec-WebSocket-Origin", [upgrade.field(field, "now called Origin")])
  }
}

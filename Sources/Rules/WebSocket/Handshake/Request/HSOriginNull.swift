import Citation
import Events
import HTTPSemantics

/// A page without an origin.
enum HSOriginNull: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-origin-null", severity: .warning,
    summary: "The Origin of a request for WebSocket is null.",
    explanation: """
      Pages in a sandboxed frame, from a file or from a data: URL have no origin of their own. A server cannot let them in \
      without letting in every other such page, foreign ones, too.
      """,
    evidence: "The field.",
    fix: "Client: serve the page from a site, or give the frame allow-same-origin. Server: do not allow null.",
    specifications: [.webSocket("10.2")], since: "0.1")

  static let refusalRank: Int? = nil

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard let field = upgrade.block.first("origin"), upgrade.block.reads("null", at: field.value) else { return nil }
    return HandshakeFault("the Origin is null", [upgrade.field(field, "a page without an origin")])
  }
}

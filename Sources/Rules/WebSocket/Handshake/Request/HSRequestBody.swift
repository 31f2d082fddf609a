import Citation
import Events
import HTTPSemantics

/// A handshake with a body.
enum HSRequestBody: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-request-body", severity: .warning,
    summary: "A request for WebSocket has a body.",
    explanation: """
      A GET that asks for the upgrade has nothing to carry. Of what follows the head, one server reads a body and another \
      one frames: two that stand behind one another then disagree on where the WebSocket begins, which is how requests \
      are smuggled past the first.
      """,
    evidence: "The field that announces the body. Content-Length: 0 is left alone.",
    fix: "Client: send the handshake without a body.",
    specifications: [
      Specification("RFC 9112 §6.3", "https://www.rfc-editor.org/rfc/rfc9112#section-6.3"), .webSocket("4.1"),
    ], since: "0.1")

  static let refusalRank: Int? = 60

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    let field: HeaderField?
    switch upgrade.head.framing {
    case .chunked: field = upgrade.block.first("transfer-encoding")
    case .length where upgrade.head.contentLength > 0: field = upgrade.block.first("content-length")
    default: return nil
    }
    guard let field else { return nil }
    return HandshakeFault(
      "the request for WebSocket announces a body: \(upgrade.block.name(field)) \(upgrade.block.shown(field))",
      [upgrade.field(field, "a body on a handshake")])
  }
}

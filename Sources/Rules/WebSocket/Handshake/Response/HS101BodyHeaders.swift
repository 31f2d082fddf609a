import Citation
import Events
import HTTPSemantics

/// A 101 with a body.
enum HS101BodyHeaders: UpgradeResponseRule {
  static let info = RuleInfo(
    id: "ws/hs-101-body-headers", severity: .error,
    summary: "A 101 announces a body.",
    explanation: """
      What follows a 101 are frames. Who believes Content-Length or Transfer-Encoding reads the first frames as a body, and a \
      server that really sends one has it read as frames. Proxies refuse or strip such an answer.
      """,
    evidence: "The field in the 101.", fix: "Server: send neither Content-Length nor Transfer-Encoding with a 101.",
    specifications: [
      .http("15.2"), .http("8.6"),
      Specification("RFC 9112 §6.1", "https://www.rfc-editor.org/rfc/rfc9112#section-6.1"),
    ], since: "0.1")

  static let rejectionRank: Int? = 50

  static func find(in answer: MessageHead, to upgrade: Upgrade) -> HandshakeFault? {
    guard let field = answer.block.first("content-length") ?? answer.block.first("transfer-encoding"),
      let evidence = upgrade.answered(field, "in a 101")
    else { return nil }
    return HandshakeFault(
      "the 101 announces a body: \(answer.block.name(field)) \(answer.block.shown(field))", [evidence])
  }
}

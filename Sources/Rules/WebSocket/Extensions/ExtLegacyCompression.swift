import Citation
import Events
import HTTPSemantics

/// A compression that was given up.
enum ExtLegacyCompression: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/ext-legacy-compression", severity: .note,
    summary: "A client offers an obsolete kind of compression.",
    explanation: """
      permessage-deflate (RFC 7692) took the place of deflate-stream, deflate-frame, x-webkit-deflate-frame (Safari up to \
      iOS 9) and permessage-compress. Servers ignore the others: such clients speak without compression.
      """,
    evidence: "The field with the offer.", fix: "Client: offer permessage-deflate.",
    specifications: [.deflate("7")], since: "0.1")

  static let refusalRank: Int? = nil

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    let old: Set<String> = ["x-webkit-deflate-frame", "deflate-frame", "deflate-stream", "permessage-compress"]
    let offers = ExtensionList(upgrade.block)
    guard let offer = offers.elements.first(where: { old.contains($0.name.lowercased()) }) else { return nil }
    return HandshakeFault("the client offers \(offer.name)", [upgrade.field(offer.field, "given up")])
  }
}

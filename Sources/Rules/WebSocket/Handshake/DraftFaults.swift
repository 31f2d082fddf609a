import Events
import HTTPSemantics

/// What is left of the protocol's drafts.
enum DraftFaults {
  static let rows: [UpgradeRequestRule] = [hixie, origin, compression]

  private static let hixie = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-hixie-request", severity: .error,
      summary: "A client asks for WebSocket in the way of the drafts of 2010.",
      explanation: """
        Drafts 75 and 76 had other keys, other framing (00 … FF) and no masks. Browsers dropped them in 2011. Servers of \
        today refuse; what still answers is as old as the client.
        """,
      evidence: """
        Sec-WebSocket-Key1, Key2 or Draft, or the token spelled WebSocket with neither key nor version, which is draft 75.
        """,
      fix: "Client: use a library that speaks RFC 6455.", specifications: [.webSocketDraft, .webSocket("4.4")],
      since: "0.1")
  ) { upgrade in
    guard upgrade.era == .draft else { return nil }
    let names: [StaticString] = ["sec-websocket-key1", "sec-websocket-key2", "sec-websocket-draft"]
    let fields = names.compactMap { upgrade.block.first($0) }
    let shown = fields.isEmpty ? [upgrade.block.first("upgrade")].compactMap { $0 } : fields
    return HandshakeFault(
      "the client speaks a draft of 2010 (\(fields.isEmpty ? "75" : "76")) and not RFC 6455",
      shown.map { upgrade.field($0, "of the drafts") })
  }

  private static let origin = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-hybi-origin-header", severity: .note,
      summary: "A request names its origin in the field of the drafts.",
      explanation: """
        Sec-WebSocket-Origin was the name up to draft 10; since then the field is Origin. A server that checks Origin sees \
        none.
        """,
      evidence: "The field.", fix: "Client: send Origin, and use a current library.",
      specifications: [.webSocket("4.1")], since: "0.1"), isRefusable: false
  ) { upgrade in
    guard let field = upgrade.block.first("sec-websocket-origin") else { return nil }
    return HandshakeFault("the origin stands in Sec-WebSocket-Origin", [upgrade.field(field, "now called Origin")])
  }

  private static let compression = UpgradeRequestRule(
    RuleInfo(
      id: "ws/ext-legacy-compression", severity: .note,
      summary: "A client offers a kind of compression that was given up.",
      explanation: """
        permessage-deflate (RFC 7692) took the place of deflate-stream, deflate-frame, x-webkit-deflate-frame (Safari up to \
        iOS 9) and permessage-compress. Servers ignore the others: such clients speak without compression.
        """,
      evidence: "The field with the offer.", fix: "Client: offer permessage-deflate.",
      specifications: [.deflate("7")], since: "0.1"), isRefusable: false
  ) { upgrade in
    let old: Set<String> = ["x-webkit-deflate-frame", "deflate-frame", "deflate-stream", "permessage-compress"]
    let offers = ExtensionList(upgrade.block)
    guard let offer = offers.elements.first(where: { old.contains($0.name.lowercased()) }) else { return nil }
    return HandshakeFault("the client offers \(offer.name)", [upgrade.field(offer.field, "given up")])
  }
}

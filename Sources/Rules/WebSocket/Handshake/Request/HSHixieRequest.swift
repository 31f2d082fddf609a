import Citation
import Events
import HTTPSemantics

/// A handshake of the drafts 75 and 76.
enum HSHixieRequest: UpgradeRequestRule {
  static let info = RuleInfo(
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

  static let refusalRank: Int? = 120

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    guard upgrade.era == .draft else { return nil }
    let names: [StaticString] = ["sec-websocket-key1", "sec-websocket-key2", "sec-websocket-draft"]
    let fields = names.compactMap { upgrade.block.first($0) }
    let shown = fields.isEmpty ? [upgrade.block.first("upgrade")].compactMap { $0 } : fields
    return HandshakeFault(
      "the client speaks a draft of 2010 (\(fields.isEmpty ? "75" : "76")) and not RFC 6455",
      shown.map { upgrade.field($0, "of the drafts") })
  }
}

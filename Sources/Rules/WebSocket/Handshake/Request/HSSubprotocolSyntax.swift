import Citation
import Events
import HTTPSemantics

/// An offer of subprotocols that does not parse.
enum HSSubprotocolSyntax: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-subprotocol-syntax", severity: .error,
    summary: "A client's list of subprotocols names one twice, or something that is no name.",
    explanation: """
      Each name is a token and stands once. Browsers throw before they send anything else; other clients send it, and \
      servers refuse the handshake or find no subprotocol in it. Blanks, slashes and colons are not allowed in a name: a \
      token smuggled in there has to be encoded.
      """,
    evidence: "The field. Its values may be secrets, and are not repeated in the sentence.",
    fix: "Client: list each name once, and encode what is no token.",
    specifications: [.webSocket("4.1")], since: "0.1")

  static let refusalRank: Int? = 140

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    var seen: Set<String> = []
    let block = upgrade.block
    for range in block.elements("sec-websocket-protocol") where !range.isEmpty {
      let name = block.text(of: range)
      let isToken = block.bytes[range.clamped(to: block.bytes.indices)].allSatisfy(\.isTokenCharacter)
      guard !isToken || !seen.insert(name).inserted else { continue }
      let what = isToken ? "a subprotocol is offered twice" : "a subprotocol has a character that no name may have"
      let fields = block.all("sec-websocket-protocol")
      guard let field = fields.first(where: { $0.value.overlaps(range) }) ?? fields.first else { return nil }
      return HandshakeFault(what, [upgrade.field(field, what)])
    }
    return nil
  }
}

import Citation
import Events
import HTTPSemantics

/// Credentials in a handshake that every hop can read.
enum HSCleartext: UpgradeRequestRule {
  static let info = RuleInfo(
    id: "ws/hs-cleartext", severity: .note,
    summary: "Credentials of a WebSocket travel unencrypted.",
    explanation: """
      Cookies, Authorization and tokens in the query open the WebSocket, and ws:// shows them and all messages to \
      every hop. Proxies that do not know WebSocket break such connections, too, where they pass encrypted ones.
      """,
    evidence: """
      The fields, or the request line, that hold them; their values are not repeated. Behind a proxy that ends TLS this is \
      the inner hop, where it may be accepted.
      """,
    fix: "Client: use wss://. Server: send tokens in a first message rather than in the query, which logs keep.",
    specifications: [.webSocket("10.6")], since: "0.1")

  static let refusalRank: Int? = nil
  static let isOfPlainText = true

  /// Parameters of a query that are credentials by their names.
  private static let secrets: Set<String> = [
    "token", "access_token", "id_token", "auth", "auth_token", "authorization", "apikey", "api_key", "key", "jwt",
    "sid",
    "session", "session_id", "secret", "password", "passwd", "ticket",
  ]

  static func find(in upgrade: Upgrade) -> HandshakeFault? {
    var what: [String] = []
    var evidence: [Evidence] = []
    let names: [StaticString] = ["cookie", "authorization"]
    for field in names.compactMap({ upgrade.block.first($0) }) {
      what.append(upgrade.block.name(field))
      // The name alone.
      evidence.append(
        Evidence(
          .bytes(upgrade.block.span(of: field.name), upgrade.request.direction),
          excerpt: upgrade.block.excerpt(of: field.name), "its value follows, unencrypted"))
    }
    let target = upgrade.head.targetText
    if let mark = target.firstIndex(of: "?") {
      let parameters = target[target.index(after: mark)...].split(separator: "&").map { $0.prefix { $0 != "=" } }
      if let secret = parameters.first(where: { secrets.contains($0.lowercased()) }) {
        what.append("\(HeaderBlock.shown(String(secret))) in the query")
        evidence.append(Evidence(.packet(upgrade.head.span.first, upgrade.request.direction), "the request line"))
      }
    }
    guard !what.isEmpty else { return nil }
    return HandshakeFault(
      "the WebSocket is opened unencrypted, with \(what.joined(separator: ", ")) readable on the way", evidence)
  }
}

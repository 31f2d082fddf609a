import Events
import HTTPSemantics

/// The handshake of HTTP/1 inside HTTP/2.
enum H2HopHeaders: HeadRule {
  static let info = RuleInfo(
    id: "ws/h2-hop-headers", severity: .error,
    summary: "A request for WebSocket over HTTP/2 is written as for HTTP/1.",
    explanation: """
      Upgrade and Connection mean nothing in HTTP/2, and servers refuse them. A WebSocket is asked for by an extended \
      CONNECT. Mostly a proxy copied the fields.
      """,
    evidence: "The field Upgrade.",
    fix: "Proxy: translate the request into an extended CONNECT, or use HTTP/1.1 to servers without it.",
    specifications: [.streamSockets], since: "0.1")

  static func flaw(in section: FieldSection) -> HeadFlaw? {
    guard section.asksForSocketAsBefore, let field = section.block.first("upgrade") else { return nil }
    return HeadFlaw(field, "Upgrade asks for WebSocket as in HTTP/1")
  }
}

extension FieldSection {
  /// `Upgrade: websocket`, as in HTTP/1.
  var asksForSocketAsBefore: Bool {
    isRequest && !isTrailer && block.value(":method") == "GET" && block.contains("websocket", in: "upgrade")
  }
}

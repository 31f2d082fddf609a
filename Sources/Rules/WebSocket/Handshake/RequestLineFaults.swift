import Events
import HTTPSemantics

/// Requests for WebSocket that are no such requests by their line, or by what was taken out of them on the way.
enum RequestLineFaults {
  static let rows: [UpgradeRequestRule] = [method, version, upgrade, connection, host, body]

  private static let forward = """
    Proxy: forward the upgrade explicitly (nginx: proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; \
    proxy_set_header Connection "upgrade"). Client: send Upgrade: websocket and Connection: Upgrade.
    """

  private static let method = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-method-not-get", severity: .error,
      summary: "A request for WebSocket is not a GET.",
      explanation: """
        The opening handshake over HTTP/1.1 is a GET, and servers refuse any other method, or hand the request to a handler \
        that knows nothing of WebSocket.
        """,
      evidence: "The request line. Over HTTP/2 the method is CONNECT, and that is something else.",
      fix: "Client: use GET.", specifications: [.webSocket("4.1")], since: "0.1")
  ) { upgrade in
    guard upgrade.hasToken, upgrade.head.method != .get else { return nil }
    return HandshakeFault("the upgrade is asked for with \(upgrade.head.methodText)", upgrade.line("not GET"))
  }

  private static let version = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-http10", severity: .error,
      summary: "A request for WebSocket is sent in a version of HTTP that has no upgrade.",
      explanation: """
        Upgrade came with HTTP/1.1. A server ignores it in HTTP/1.0, or refuses with 400 or 505. Hardly any client does \
        that by itself: a proxy between wrote the request anew. nginx speaks HTTP/1.0 to its upstreams unless \
        proxy_http_version says otherwise.
        """,
      evidence: "The request line with its version.",
      fix: "Proxy: speak HTTP/1.1 to the server and forward the upgrade (nginx: proxy_http_version 1.1).",
      specifications: [.webSocket("4.1"), .http("7.8")], since: "0.1")
  ) { upgrade in
    guard upgrade.head.version < .http11 else { return nil }
    return HandshakeFault(
      "the request for WebSocket is sent as HTTP/\(upgrade.head.version), which has no upgrade",
      upgrade.line("the version"))
  }

  private static let upgrade = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-upgrade-missing", severity: .error,
      summary: "A request has a key for WebSocket and does not ask for the upgrade.",
      explanation: """
        Upgrade and Connection concern one hop: a proxy that was not told to forward them takes them out, as it must, and \
        passes the key on. The server sees an ordinary request and answers it as one: with a page, 400, 404 or 426.
        """,
      evidence: "The key, and the Upgrade field where there is one that names something else.", fix: forward,
      specifications: [.webSocket("4.1"), .http("7.6.1")], since: "0.1")
  ) { upgrade in
    guard !upgrade.hasToken, upgrade.era == .standard, let key = upgrade.block.first("sec-websocket-key") else {
      return nil
    }
    var evidence = [upgrade.field(key, "a key for WebSocket, and no Upgrade: websocket")]
    if let other = upgrade.block.first("upgrade") { evidence.append(upgrade.field(other, "names something else")) }
    return HandshakeFault("there is a Sec-WebSocket-Key and no Upgrade: websocket", evidence)
  }

  private static let connection = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-connection-missing", severity: .error,
      summary: "A request for WebSocket does not name the upgrade in Connection.",
      explanation: """
        A server acts on Upgrade only where Connection names it: the field may have been passed on by somebody who did not \
        know what it was. Connection: close in its place is what a proxy writes that was not told to forward the upgrade.
        """,
      evidence: """
        The Connection field, or the request line where there is none. "keep-alive, Upgrade" is fine, and Firefox writes it.
        """, fix: forward, specifications: [.webSocket("4.1"), .http("7.6.1")], since: "0.1")
  ) { upgrade in
    guard !upgrade.namesUpgrade else { return nil }
    guard let field = upgrade.block.first("connection") else {
      return HandshakeFault("there is no Connection field", upgrade.line("no Connection: Upgrade"))
    }
    return HandshakeFault(
      "Connection says \"\(upgrade.block.shown(field))\" and not Upgrade", [upgrade.field(field, "without Upgrade")])
  }

  private static let host = UpgradeRequestRule(
    RuleInfo(
      id: "ws/hs-host-missing", severity: .error,
      summary: "A request for WebSocket has no Host.",
      explanation: "A server must refuse the handshake without it, and a proxy does not know where to send it.",
      evidence: "The request line.", fix: "Client: send one Host with the name of the site.",
      specifications: [.webSocket("4.1"), .webSocket("4.2.1")], since: "0.1")
  ) { upgrade in
    guard upgrade.block.first("host") == nil, upgrade.block.fieldsCut == 0 else { return nil }
    return HandshakeFault("the request for WebSocket has no Host", upgrade.line("a head without Host"))
  }

  private static let body = UpgradeRequestRule(
    RuleInfo(
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
  ) { upgrade in
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

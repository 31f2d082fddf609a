import Events

/// What requests for WebSocket lack, or have too much of.
enum UpgradeRequestRows {
  private typealias W = WebSocketRows

  private static func refused(_ request: String, _ status: String = "400 Bad Request") -> String {
    handshake + request + W.refusal(status)
  }

  private static func taken(_ request: String) -> String { handshake + request + W.switching() }

  static let rows: [RuleRow] = [
    .fires(
      "ws/hs-method-not-get", "A POST.", refused(W.ask(line: "POST /chat HTTP/1.1"), "405 No"), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "with POST"),
    .silent("ws/hs-method-not-get", "A GET.", W.agreed),
    .fires(
      "ws/hs-http10", "nginx without proxy_http_version.", refused(W.ask(line: "GET /chat HTTP/1.0")), at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange), says: "HTTP/1.0"),
    .fires(
      "ws/hs-http10", "And a server that does not mind.", taken(W.ask(line: "GET /chat HTTP/1.0")), at: [1], .toServer),
    .silent("ws/hs-http10", "HTTP/1.0 without a wish.", refused(#"> "GET / HTTP/1.0\r\n\r\n""# + "\n")),
    .fires(
      "ws/hs-upgrade-missing", "A proxy took it out.",
      refused(W.ask(upgrade: #"Connection: close\r\n"#), "426 Upgrade Required"),
      at: [1, 2], .toServer, confidence: .medium, cost: .failed(.exchange)),
    .fires(
      "ws/hs-upgrade-missing", "It names something else.",
      refused(W.ask(upgrade: #"Upgrade: h2c\r\nConnection: Upgrade\r\n"#)), at: [1, 1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent(
      "ws/hs-upgrade-missing", "One token of several, in capitals.",
      taken(W.ask(upgrade: #"Upgrade: h2c\r\nUpgrade: x, WEBSOCKET\r\nConnection: Upgrade\r\n"#))),
    .fires(
      "ws/hs-connection-missing", "keep-alive alone.",
      refused(W.ask(upgrade: #"Upgrade: websocket\r\nConnection: keep-alive\r\n"#)), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "\"keep-alive\""),
    .fires(
      "ws/hs-connection-missing", "None at all.", refused(W.ask(upgrade: #"Upgrade: websocket\r\n"#)), at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange), says: "no Connection"),
    .silent(
      "ws/hs-connection-missing", "As Firefox writes it.",
      taken(W.ask(upgrade: #"Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"#))),
    .fires(
      "ws/hs-host-missing", "No Host.", refused(W.ask(host: "")), at: [1, 2], .toServer, confidence: .medium,
      cost: .failed(.exchange)),
    .silent("ws/hs-host-missing", "An empty one.", taken(W.ask(host: #"Host:\r\n"#))),
    .fires(
      "ws/hs-request-body", "Five bytes.", refused(W.ask(#"Content-Length: 5\r\n"#).dropping("\" ①") + "hello\" ①\n"),
      at: [1, 2], .toServer, confidence: .medium, cost: .failed(.exchange)),
    .silent("ws/hs-request-body", "A length of nothing.", taken(W.ask(#"Content-Length: 0\r\n"#))),
    .fires(
      "ws/hs-key-missing", "No key.", refused(W.ask(key: "")), at: [1, 2], .toServer, confidence: .medium,
      cost: .failed(.exchange)),
    .silent("ws/hs-key-missing", "A draft had another one.", refused(W.ask(#"Sec-WebSocket-Key1: 1 2\r\n"#, key: ""))),
    .fires(
      "ws/hs-key-duplicate", "Two keys.", refused(W.ask(W.keyField)), at: [1, 1, 2], .toServer, confidence: .medium,
      cost: .failed(.exchange)
    ),
    .silent("ws/hs-key-duplicate", "One key.", W.agreed),
    .fires(
      "ws/hs-key-invalid", "Eight bytes.", taken(W.ask(key: #"Sec-WebSocket-Key: 5yyNvKb/7OE=\r\n"#)), at: [1],
      .toServer,
      says: "decodes to 8 B"),
    .fires(
      "ws/hs-key-invalid", "No Base64.", refused(W.ask(key: #"Sec-WebSocket-Key: 12345678901234567890123-\r\n"#)),
      at: [1, 2], .toServer, confidence: .medium, cost: .failed(.exchange), says: "24 characters"),
    .silent("ws/hs-key-invalid", "Sixteen bytes.", W.agreed),
    .fires(
      "ws/hs-version-missing", "No version.", refused(W.ask(version: "")), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent(
      "ws/hs-version-missing", "A draft of before there were versions.",
      refused(W.ask(upgrade: #"Upgrade: WebSocket\r\nConnection: Upgrade\r\n"#, key: "", version: ""))),
    .fires(
      "ws/hs-version-not-13", "Version 8.",
      refused(W.ask(version: #"Sec-WebSocket-Version: 8\r\n"#), "426 Upgrade Required"), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "\"8\""),
    .silent("ws/hs-version-not-13", "Version 13.", W.agreed),
    .fires(
      "ws/hs-hybi-origin-header", "The old name.", taken(W.ask(#"Sec-WebSocket-Origin: http://h.example\r\n"#)),
      at: [1],
      .toServer),
    .silent("ws/hs-hybi-origin-header", "The new name.", taken(W.ask(#"Origin: http://h.example\r\n"#))),
    .fires(
      "ws/hs-hixie-request", "Two keys of draft 76.",
      refused(W.ask(#"Sec-WebSocket-Key1: 1 2\r\nSec-WebSocket-Key2: 3 4\r\n"#, key: "", version: "")), at: [1, 1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange), says: "(76)"),
    .fires(
      "ws/hs-hixie-request", "Draft 75.",
      refused(W.ask(upgrade: #"Upgrade: WebSocket\r\nConnection: Upgrade\r\n"#, key: "", version: "")), at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange), says: "(75)"),
    .silent(
      "ws/hs-hixie-request", "Its spelling, in a request of today.",
      taken(W.ask(upgrade: #"Upgrade: WebSocket\r\nConnection: Upgrade\r\n"#))),
    .fires(
      "ws/ext-legacy-compression", "An old Safari.",
      taken(W.ask(#"Sec-WebSocket-Extensions: x-webkit-deflate-frame\r\n"#)), at: [1], .toServer),
    .silent(
      "ws/ext-legacy-compression", "The one of today.",
      taken(W.ask(#"Sec-WebSocket-Extensions: permessage-deflate\r\n"#))),
    .fires(
      "ws/hs-extension-syntax", "A blank in a name.",
      refused(W.ask(#"Sec-WebSocket-Extensions: permessage deflate\r\n"#)), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "not a token"),
    .fires(
      "ws/hs-extension-syntax", "A value that is none.",
      taken(W.ask(#"Sec-WebSocket-Extensions: x; a=\r\n"#)), at: [1], .toServer),
    .silent(
      "ws/hs-extension-syntax", "Quotes around a value.",
      taken(W.ask(#"Sec-WebSocket-Extensions: x; a=\"10\", y;b\r\n"#))),
    .fires(
      "ws/hs-subprotocol-syntax", "Twice the same.", refused(W.ask(#"Sec-WebSocket-Protocol: a, b, a\r\n"#)),
      at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange), says: "twice"),
    .fires(
      "ws/hs-subprotocol-syntax", "A URL.", taken(W.ask(#"Sec-WebSocket-Protocol: http://a/b\r\n"#)), at: [1],
      .toServer),
    .silent(
      "ws/hs-subprotocol-syntax", "Two that differ in case.", taken(W.ask(#"Sec-WebSocket-Protocol: a, A\r\n"#))),
  ]
}

extension String {
  /// Without an end that it has.
  func dropping(_ end: String) -> String {
    let trimmed = hasSuffix("\n") ? String(dropLast()) : self
    return trimmed.hasSuffix(end) ? String(trimmed.dropLast(end.count)) : trimmed
  }
}

/// From which site a page asks, and what it shows on the way.
enum UpgradeOriginRows {
  private typealias W = WebSocketRows
  private static let browser =
    #"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n"#

  private static func taken(_ fields: String, host: String = W.host, line: String = "GET /chat HTTP/1.1") -> String {
    handshake + W.ask(fields, line: line, host: host) + W.switching()
  }

  static let rows: [RuleRow] = [
    .fires("ws/hs-origin-missing-browser", "A browser without.", taken(browser), at: [1], .toServer),
    .silent(
      "ws/hs-origin-missing-browser", "A browser with.", taken(browser + #"Origin: http://h.example\r\n"#)),
    .silent("ws/hs-origin-missing-browser", "A program.", taken(#"User-Agent: websockets/17\r\n"#)),
    .fires("ws/hs-origin-null", "A sandboxed frame.", taken(#"Origin: null\r\n"#), at: [1], .toServer),
    .silent("ws/hs-origin-null", "A site called so.", taken(#"Origin: http://null\r\n"#)),
    .fires(
      "ws/hs-origin-host-mismatch", "Another site.", taken(#"Origin: http://evil.example\r\n"#), at: [1, 1], .toServer,
      says: "evil.example"),
    .fires(
      "ws/hs-origin-host-mismatch", "Another port.", taken(#"Origin: http://h.example:8080\r\n"#), at: [1, 1],
      .toServer,
      severity: .note, says: "another port"),
    .fires(
      "ws/hs-origin-host-mismatch", "Another site, with cookies.",
      taken(#"Origin: http://evil.example\r\nCookie: a=b\r\n"#), at: [1, 1], .toServer, severity: .error,
      says: "credentials"),
    .silent(
      "ws/hs-origin-host-mismatch", "It was refused.",
      handshake + W.ask(#"Origin: http://evil.example\r\n"#) + W.refusal("403 Forbidden")),
    .silent(
      "ws/hs-origin-host-mismatch", "The standard port of https, and none.",
      taken(#"Origin: https://H.example\r\n"#, host: #"Host: h.example:443\r\n"#)),
    .silent("ws/hs-origin-host-mismatch", "An extension.", taken(#"Origin: chrome-extension://abc\r\n"#)),
    .fires(
      "ws/hs-cleartext", "A cookie and a token.",
      taken(#"Cookie: a=b\r\n"#, line: "GET /chat?x=1&access_token=s HTTP/1.1"), at: [1, 1], .toServer,
      says: "Cookie, access_token in the query"),
    .silent("ws/hs-cleartext", "Nothing secret.", taken("", line: "GET /chat?room=1 HTTP/1.1")),
  ]
}

import Events

/// What answers with 101 lack, or have too much of.
enum UpgradeResponseRows {
  private typealias W = WebSocketRows

  private static func answered(_ request: String, _ response: String) -> String { handshake + request + response }

  private static func answered(_ response: String) -> String { answered(W.ask(), response) }

  private static let offer = #"Sec-WebSocket-Protocol: a, b\r\n"#

  static let rows: [RuleRow] = [
    .fires(
      "ws/hs-accept-mismatch", "Another digest.",
      answered(W.switching(accept: #"Sec-WebSocket-Accept: Kfh9QIsMVZcl6xEPYxPHzW8SZ8w=\r\n"#)), at: [1, 2], .toClient,
      says: "should be s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    .silent("ws/hs-accept-mismatch", "The sample of RFC 6455.", W.agreed),
    .silent(
      "ws/hs-accept-mismatch", "Blanks around the key are not of it.",
      answered(W.ask(key: #"Sec-WebSocket-Key:   \#(W.key)  \r\n"#), W.switching())),
    .fires("ws/hs-accept-missing", "None.", answered(W.switching(accept: "")), at: [2], .toClient),
    .silent(
      "ws/hs-accept-missing", "A draft has another proof.",
      answered(
        W.ask(#"Sec-WebSocket-Key1: 1 2\r\nSec-WebSocket-Key2: 3 4\r\n"#, key: "", version: ""),
        W.switching(accept: ""))),
    .fires(
      "ws/hs-resp-upgrade-missing", "None.", answered(W.switching(upgrade: #"Connection: Upgrade\r\n"#)), at: [2],
      .toClient),
    .fires(
      "ws/hs-resp-upgrade-missing", "To something else.",
      answered(W.switching(upgrade: #"Connection: Upgrade\r\nUpgrade: h2c\r\n"#)), at: [2], .toClient, says: "\"h2c\""),
    .silent(
      "ws/hs-resp-upgrade-missing", "In capitals.",
      answered(W.switching(upgrade: #"Connection: Upgrade\r\nUpgrade: WebSocket\r\n"#))),
    .fires(
      "ws/hs-resp-connection-missing", "keep-alive alone.",
      answered(W.switching(upgrade: #"Upgrade: websocket\r\nConnection: keep-alive\r\n"#)), at: [2], .toClient),
    .fires(
      "ws/hs-resp-connection-missing", "None.", answered(W.switching(upgrade: #"Upgrade: websocket\r\n"#)), at: [2],
      .toClient),
    .silent(
      "ws/hs-resp-connection-missing", "One of two words.",
      answered(W.switching(upgrade: #"Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\n"#))),
    .fires(
      "ws/hs-101-body-headers", "A length.", answered(W.switching(#"Content-Length: 5\r\n"#)), at: [2], .toClient),
    .fires(
      "ws/hs-101-body-headers", "Chunks.", answered(W.switching(#"Transfer-Encoding: chunked\r\n"#)), at: [2],
      .toClient),
    .silent("ws/hs-101-body-headers", "A type alone.", answered(W.switching(#"Content-Type: text/plain\r\n"#))),
    .fires(
      "ws/hs-subprotocol-unrequested", "Another one.",
      answered(W.ask(offer), W.switching(#"Sec-WebSocket-Protocol: c\r\n"#)), at: [1, 2], .toClient),
    .fires(
      "ws/hs-subprotocol-unrequested", "Nobody asked.", answered(W.switching(#"Sec-WebSocket-Protocol: c\r\n"#)),
      at: [2], .toClient, says: "the client did not offer"),
    .silent(
      "ws/hs-subprotocol-unrequested", "One of them.",
      answered(W.ask(offer), W.switching(#"Sec-WebSocket-Protocol: b\r\n"#))),
    .fires(
      "ws/hs-subprotocol-multiple", "The whole offer.",
      answered(W.ask(offer), W.switching(#"Sec-WebSocket-Protocol: a, b\r\n"#)), at: [2], .toClient),
    .silent(
      "ws/hs-subprotocol-multiple", "One.", answered(W.ask(offer), W.switching(#"Sec-WebSocket-Protocol: a\r\n"#))),
    .fires("ws/hs-subprotocol-ignored", "None.", answered(W.ask(offer), W.switching()), at: [1, 2], .toClient),
    .silent("ws/hs-subprotocol-ignored", "None was offered.", W.agreed),
    .fires("ws/hs-version-in-101", "13.", answered(W.switching(W.version)), at: [2], .toClient),
    .silent("ws/hs-version-in-101", "None.", W.agreed),
    .fires(
      "ws/hs-hixie-response-headers", "Fields and a reason phrase of 2010.",
      answered(
        W.switching(
          #"WebSocket-Origin: null\r\nWebSocket-Location: ws://h.example/\r\n"#, reason: "Web Socket Protocol Handshake"
        )),
      at: [2, 2, 2], .toClient, says: "\"Web Socket Protocol Handshake\", WebSocket-Origin, WebSocket-Location"),
    .silent("ws/hs-hixie-response-headers", "None of them.", W.agreed),
    .silent(
      "ws/hs-hixie-response-headers", "To a client of 2010.",
      answered(
        W.ask(#"Sec-WebSocket-Key1: 1 2\r\nSec-WebSocket-Key2: 3 4\r\n"#, key: "", version: ""),
        W.switching(#"Sec-WebSocket-Origin: null\r\n"#, accept: ""))),
    .fires(
      "ws/hs-slow", "Two seconds.", answered(W.ask() + "+2s\n", W.switching()), at: [1, 2], .toClient, says: "2.001 s"),
    .silent("ws/hs-slow", "A third of a second.", answered(W.ask() + "+300ms\n", W.switching())),
    .silent("ws/hs-slow", "Two seconds until a refusal.", answered(W.ask() + "+2s\n", W.refusal())),
    .fires(
      "ws/hs-no-response", "The server hangs up.", answered(W.ask(), "+1s\n< FIN ②\n> FIN\n"), at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "until the server ended"),
    .silent("ws/hs-no-response", "An answer.", answered(W.ask(), W.refusal() + "< FIN\n> FIN\n")),
    .silent("ws/hs-no-response", "Nobody saw the other direction.", W.ask() + "+1s\n> FIN\n"),
    .silent("ws/hs-no-response", "The capture ends before.", handshake + W.ask() + "+1s\n> ACK\n"),
  ]
}

/// What was offered, and what was agreed.
enum ExtensionRows {
  private typealias W = WebSocketRows

  private static func field(_ value: String) -> String { #"Sec-WebSocket-Extensions: \#(value)\r\n"# }

  private static func agreed(_ offer: String?, _ answer: String) -> String {
    handshake + W.ask(offer.map(field) ?? "") + W.switching(field(answer))
  }

  private static let deflate = "permessage-deflate"

  static let rows: [RuleRow] = [
    .fires(
      "ws/ext-offered-not-negotiated", "A browser's offer.",
      handshake + W.ask(field("\(deflate); client_max_window_bits")) + W.switching(), at: [1, 2], .toClient),
    .silent("ws/ext-offered-not-negotiated", "It was taken.", agreed(deflate, deflate)),
    .silent("ws/ext-offered-not-negotiated", "Another one was offered.", handshake + W.ask(field("x")) + W.switching()),
    .fires("ws/ext-unoffered", "Nothing was offered.", agreed(nil, deflate), at: [2], .toClient),
    .fires("ws/ext-unoffered", "Another one was offered.", agreed("x", deflate), at: [1, 2], .toClient),
    .silent("ws/ext-unoffered", "In another case.", agreed("Permessage-Deflate", deflate)),
    .fires(
      "ws/ext-duplicate", "Both alternatives.", agreed("\(deflate), \(deflate)", "\(deflate), \(deflate)"), at: [1, 2],
      .toClient),
    .silent("ws/ext-duplicate", "One of two alternatives.", agreed("\(deflate), \(deflate)", deflate)),
    .fires(
      "ws/ext-param-unknown", "In the answer.", agreed(deflate, "\(deflate); level=9"), at: [1, 2], .toClient,
      says: "level"),
    .fires(
      "ws/ext-param-unknown", "In the offer.", agreed("\(deflate); level=9", deflate), at: [1], .toServer,
      severity: .note),
    .silent(
      "ws/ext-param-unknown", "All four.",
      agreed(
        "\(deflate); client_max_window_bits",
        "\(deflate); server_no_context_takeover; client_no_context_takeover; server_max_window_bits=12; client_max_window_bits=12"
      )),
    .fires(
      "ws/ext-param-invalid", "Seven bits.", agreed(deflate, "\(deflate); server_max_window_bits=7"), at: [1, 2],
      .toClient, says: "not 8 to 15"),
    .fires(
      "ws/ext-param-invalid", "A leading zero in an offer.", agreed("\(deflate); server_max_window_bits=09", deflate),
      at: [1], .toServer, severity: .note),
    .fires(
      "ws/ext-param-invalid", "A value on a word.", agreed(deflate, "\(deflate); server_no_context_takeover=1"),
      at: [1, 2], .toClient, says: "takes none"),
    .silent("ws/ext-param-invalid", "No value in an offer.", agreed("\(deflate); client_max_window_bits", deflate)),
    .silent(
      "ws/ext-param-invalid", "Eight bits, quoted.", agreed(deflate, #"\#(deflate); server_max_window_bits=\"8\""#)),
    .fires(
      "ws/ext-param-duplicate", "Twice.",
      agreed(deflate, "\(deflate); server_no_context_takeover; server_no_context_takeover"), at: [1, 2], .toClient),
    .silent(
      "ws/ext-param-duplicate", "Once for each.",
      agreed(deflate, "\(deflate); server_no_context_takeover; client_no_context_takeover")),
    .fires(
      "ws/ext-client-window-unoffered", "Not offered.", agreed(deflate, "\(deflate); client_max_window_bits=10"),
      at: [1, 2], .toClient),
    .silent(
      "ws/ext-client-window-unoffered", "Offered in the second alternative.",
      agreed("\(deflate), \(deflate); client_max_window_bits", "\(deflate); client_max_window_bits=10")),
    .fires(
      "ws/ext-offer-not-honoured", "A bare answer.",
      agreed("\(deflate); server_no_context_takeover; server_max_window_bits=10", deflate), at: [1, 2], .toClient),
    .fires(
      "ws/ext-offer-not-honoured", "A larger window.",
      agreed("\(deflate); server_max_window_bits=10", "\(deflate); server_max_window_bits=12"), at: [1, 2], .toClient),
    .silent(
      "ws/ext-offer-not-honoured", "A smaller window.",
      agreed("\(deflate); server_max_window_bits=10", "\(deflate); server_max_window_bits=9")),
    .silent(
      "ws/ext-offer-not-honoured", "The alternative without conditions.",
      agreed("\(deflate); server_no_context_takeover, \(deflate)", deflate)),
  ]
}

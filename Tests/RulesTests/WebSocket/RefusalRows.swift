import Events

/// Answers other than 101.
enum RefusalRows {
  private typealias W = WebSocketRows

  private static func refused(_ status: String, _ fields: String = "", _ request: String = W.ask()) -> String {
    handshake + request + W.refusal(status, fields)
  }

  private static let polled = "GET /socket.io/?EIO=4&transport=websocket&sid=Bk4xCv9 HTTP/1.1"

  static let rows: [RuleRow] = [
    .fires(
      "ws/hs-upgrade-missing", "What a proxy left of a request: the server finds no such page.",
      handshake + WebSocketRows.ask(upgrade: "") + WebSocketRows.refusal("404 Not Found"), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent(
      "ws/hs-refused-404", "What a proxy left of a request: the path may be right.",
      handshake + WebSocketRows.ask(upgrade: "") + WebSocketRows.refusal("404 Not Found")),
    .fires(
      "ws/hs-refused", "A status that says nothing.", refused("418 Teapot"), at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "ws/hs-refused", "The request explains it.", refused("400 Bad Request", "", W.ask(line: "GET / HTTP/1.0")),
      at: [1, 2], .toClient, cost: .failed(.exchange), says: "the request itself is at fault"),
    .silent("ws/hs-refused", "A 101.", W.agreed),
    .silent(
      "ws/hs-refused", "An ordinary request.",
      handshake + #"> "GET / HTTP/1.1\r\nHost: h\r\n\r\n""# + "\n" + W.refusal()),
    .fires(
      "ws/hs-refused-200", "The index page.", refused("200 OK", #"Content-Type: text/html\r\n"#), at: [1, 2, 2],
      .toClient, cost: .failed(.exchange)),
    .silent("ws/hs-refused-200", "The upgrade was taken out.", refused("200 OK", "", W.ask(upgrade: ""))),
    .fires(
      "ws/hs-refused-400", "No reason to be seen.", refused("400 Bad Request"), at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "ws/hs-refused-400", "The server speaks another subprotocol.",
      handshake + W.ask(#"Sec-WebSocket-Protocol: v1.chat\r\n"#)
        + #"< "HTTP/1.1 400 Bad Request\r\nContent-Length: 20\r\n\r\ninvalid subprotocol\n" ②"# + "\n",
      at: [1, 2, 1], .toClient, cost: .failed(.exchange), says: "its answer names the subprotocol as the reason"),
    .fires(
      "ws/hs-refused-400", "A session of Engine.IO, and nothing that says it is unknown.",
      refused("400 Bad Request", "", W.ask(line: polled)), at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent("ws/hs-refused-400", "No key.", refused("400 Bad Request", "", W.ask(key: ""))),
    .fires(
      "ws/hs-refused-auth", "Not from there.",
      refused("403 Forbidden", "", W.ask(#"Origin: http://evil.example\r\n"#)), at: [1, 2, 1, 1], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "ws/hs-refused-auth", "No password.", refused("401 Unauthorized"), at: [1, 2], .toClient, cost: .failed(.exchange)
    ),
    .fires(
      "ws/hs-refused-auth", "It names a session of Engine.IO, which was let in before.",
      refused("403 Forbidden", "", W.ask(line: polled)), at: [1, 2, 1], .toClient, cost: .failed(.exchange),
      fix: "sticky sessions"),
    .silent("ws/hs-refused-auth", "Too many.", refused("429 Too Many Requests")),
    .fires(
      "ws/hs-refused-404", "No such path.", refused("404 Not Found"), at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent("ws/hs-refused-404", "Gone.", refused("410 Gone")),
    .fires(
      "ws/hs-refused-426", "The server did not see it.", refused("426 Upgrade Required"), at: [1, 2], .toClient,
      cost: .failed(.exchange)),
    .silent(
      "ws/hs-refused-426", "Another version.",
      refused("426 Upgrade Required", W.version, W.ask(version: #"Sec-WebSocket-Version: 8\r\n"#))),
    .fires(
      "ws/hs-refused-redirect", "To https.", refused("301 Moved", #"Location: https://h.example/chat\r\n"#),
      at: [1, 2, 2], .toClient, cost: .failed(.exchange)),
    .fires(
      "ws/hs-refused-redirect", "To a page to sign in.",
      refused("302 Found", #"Location: http://portal.example/login?u=1\r\n"#),
      at: [1, 2, 2], .toClient, cost: .failed(.exchange), says: "sent to another host", fix: "a captive portal"),
    .silent(
      "ws/hs-refused-redirect", "Not modified.", handshake + W.ask() + #"< "HTTP/1.1 304 Not Modified\r\n\r\n""# + "\n"),
    .fires(
      "ws/hs-refused-gateway", "A backend that does not answer.",
      handshake + W.ask() + "+60s\n" + W.refusal("504 Gateway Time-out"), at: [1, 2], .toClient,
      cost: .failed(.exchange),
      says: "answered after 60.001 s"),
    .silent("ws/hs-refused-gateway", "An error of the server itself.", refused("500 Oops")),
    .fires(
      "ws/hs-version-not-advertised", "Refused without a hint.",
      refused("400 Bad Request", "", W.ask(version: #"Sec-WebSocket-Version: 8\r\n"#)), at: [1, 2], .toClient),
    .silent(
      "ws/hs-version-not-advertised", "With one.",
      refused("426 Upgrade Required", W.version, W.ask(version: #"Sec-WebSocket-Version: 8\r\n"#))),
    .silent("ws/hs-version-not-advertised", "It was the right version.", refused("400 Bad Request")),
  ]
}

import Events

/// How connections are closed, and how they end without.
enum SocketCloseRows {
  private typealias S = SocketFrames
  private static let agreed = WebSocketRows.agreed
  private static let ends = "< FIN\n> FIN\n"
  private static let graphQL = "Sec-WebSocket-Protocol: graphql-transport-ws\\r\\n"

  private static func closing(_ code: UInt16, answer: UInt16? = nil, _ reason: String = "") -> String {
    agreed + S.up(8, "", "③", bytes: S.close(code, reason)) + S.down(8, "", "④", bytes: S.close(answer ?? code)) + ends
  }

  /// What a framework writes, in one packet.
  private static func page(_ status: String, _ mark: String) -> String {
    #"< "HTTP/1.1 \#(status)\r\nServer: Werkzeug/3.1 Python/3.11\r\nDate: Mon, 30 Nov 2026 01:00:00 GMT\r\nContent-Length: 0\r\n\r\n""#
      + mark + "\n"
  }

  static let rows: [RuleRow] = [
    .fires(
      "ws/close-error-code", "Too big.",
      agreed + S.up(1, "hi", "③") + S.down(8, "", "④", bytes: S.close(1009, "no")) + ends,
      at: [4, 4, 3], .toClient, cost: .failed(.connection), says: "1009 (message too big)",
      fix: "max_size"),
    .silent(
      "ws/close-error-code", "A server complains of the client's FIN, which came without a Close.",
      agreed + S.up(1, "hi") + "> FIN\n" + S.down(8, bytes: S.close(1002)) + "< FIN\n> ACK\n"),
    .silent("ws/close-error-code", "Going away.", closing(1001)),
    .silent("ws/close-error-code", "A code of the application.", closing(4001)),
    .fires(
      "ws/close-app-code", "A server of GraphQL had no initialisation.",
      handshake + WebSocketRows.ask(graphQL) + WebSocketRows.switching(graphQL)
        + S.down(8, "", "③", bytes: S.close(4408, "Connection initialisation timeout"))
        + S.up(8, bytes: S.close(4408)) + ends, at: [3, 3], .toClient, severity: .warning, cost: .failed(.connection),
      says: "4408 (graphql: no initialisation in time)", fix: "send connection_init as soon"),
    .fires(
      "ws/close-app-code", "The server refuses who is not signed in.",
      agreed + S.down(8, "", "③", bytes: S.close(4401)) + S.up(8, bytes: S.close(4401)) + ends, at: [3], .toClient,
      severity: .warning, cost: .failed(.connection), says: "4401, a code of the application, "),
    .fires(
      "ws/close-app-code", "The same after a while is how a session ends.",
      agreed + S.down(1, "hi") + "+5s\n" + S.down(8, "", "③", bytes: S.close(4401)) + S.up(8, bytes: S.close(4401))
        + ends,
      at: [3], .toClient, severity: .note),
    .fires("ws/close-app-code", "4001.", closing(4001), at: [3], .toServer, says: "4001"),
    .silent("ws/close-app-code", "1000.", closing(1000)),
    .fires("ws/close-no-status", "Nothing.", agreed + S.up(8, "", "③") + S.down(8) + ends, at: [3], .toServer),
    .silent("ws/close-no-status", "1000.", closing(1000)),
    .fires("ws/close-code-reserved", "1006.", closing(1006, answer: 1002), at: [3], .toServer, says: "1006"),
    .silent("ws/close-code-reserved", "1007.", closing(1007)),
    .fires("ws/close-code-invalid", "999.", closing(999, answer: 1002), at: [3], .toServer, says: "999"),
    .fires("ws/close-code-invalid", "5000.", closing(5000, answer: 1002), at: [3], .toServer),
    .silent("ws/close-code-invalid", "4999.", closing(4999)),
    .fires(
      "ws/close-code-not-echoed", "1000 for 4001.", closing(4001, answer: 1000), at: [4, 3], .toClient,
      says: "Close 4001 with 1000"),
    .silent("ws/close-code-not-echoed", "The same.", closing(4001)),
    .fires(
      "ws/close-duplicate", "Twice.", agreed + S.up(8, "", "③") + S.up(8, "", "④") + S.down(8) + ends, at: [3, 4],
      .toServer),
    .silent("ws/close-duplicate", "Once from each.", closing(1000)),
    .fires(
      "ws/http-inside", "The handler fails, and its framework answers.",
      agreed + S.down(1, "hi") + page("500 INTERNAL SERVER ERROR", " ①") + "> RST\n", at: [1], .toClient,
      cost: .failed(.connection), says: "into the open WebSocket"),
    .fires(
      "ws/http-inside", "The handler has closed it.",
      agreed + S.up(8) + S.down(8, "", "①") + page("200 OK", " ②") + ends, at: [1, 2], .toClient, severity: .note,
      says: "behind its Close"),
    .silent(
      "ws/close-frame-after", "What comes behind the Close is no frame.",
      agreed + S.up(8) + S.down(8) + page("200 OK", "") + ends),
    .silent("ws/http-inside", "It speaks of HTTP.", agreed + S.down(1, "HTTP/1.1 500 INTERNAL SERVER ERROR") + ends),
    .silent(
      "ws/http-inside", "These are the letters, and no status line.",
      agreed + #"< "HTML \#(String(repeating: "x", count: 90))""# + "\n" + ends),
    .fires(
      "ws/close-frame-after", "A late message.", agreed + S.up(8, "", "③") + S.up(1, "hi", "④") + S.down(8) + ends,
      at: [3, 4], .toServer, cost: .lost(bytes: 2)),
    .fires(
      "ws/close-frame-after", "A library of Socket.IO says goodbye twice.",
      agreed + S.up(1, "40") + S.up(8, "", "③") + S.up(1, "41", "④") + S.down(8) + ends, at: [3, 4], .toServer,
      severity: .note),
    .silent(
      "ws/close-frame-after", "A message of the other side.", agreed + S.up(8) + S.down(1, "hi") + S.down(8) + ends),
    .fires(
      "ws/close-unanswered", "FIN is the answer.", agreed + S.up(8, "", "③", bytes: S.close(1000)) + "< FIN ④\n> FIN\n",
      at: [3, 4], .toClient, cost: .failed(.connection), says: "API shows 1006"),
    .fires(
      "ws/close-unanswered", "The client is silent.",
      agreed + S.down(8, "", "③", bytes: S.close(1000)) + "> FIN ④\n< FIN\n",
      at: [3, 4], .toServer),
    .fires(
      "ws/close-unanswered", "The server waits for the client, and then no more.",
      agreed + S.down(8, "", "③", bytes: S.close(1000)) + "+5s\n< FIN ④\n> FIN\n", at: [3, 4], .toServer),
    .silent(
      "ws/close-unanswered", "The server does not wait.",
      agreed + S.down(8, bytes: S.close(1000)) + "< FIN\n> FIN\n"),
    .silent("ws/close-unanswered", "Answered.", closing(1000)),
    .silent("ws/close-unanswered", "It had left before.", agreed + "< FIN\n" + S.up(8) + "> FIN\n"),
    .silent("ws/close-unanswered", "The capture ends.", agreed + S.up(8) + "< ACK\n"),
    .fires(
      "ws/close-slow", "After two seconds.", agreed + S.up(8, "", "③") + "+2s\n" + S.down(8, "", "④") + ends,
      at: [3, 4],
      .toClient, says: "2.001 s"),
    .silent("ws/close-slow", "After half a second.", agreed + S.up(8) + "+500ms\n" + S.down(8) + ends),
    .fires(
      "ws/close-client-fin-first", "Before the answer.",
      agreed + S.up(8, "", "③") + "> FIN ⑤\n" + S.down(8, "", "④") + "< FIN\n",
      at: [3, 4, 5], .toServer),
    .silent("ws/close-client-fin-first", "The server first.", closing(1000)),
    .fires(
      "ws/close-tcp-linger", "For three seconds.",
      agreed + S.up(8, "", "③") + S.down(8, "", "④") + "+3s\n< FIN ⑤\n> FIN\n",
      at: [3, 4, 5], .toClient, says: "3.001 s"),
    .silent("ws/close-tcp-linger", "For one second.", agreed + S.up(8) + S.down(8) + "+1s\n" + ends),
    .fires(
      "ws/close-rst-after", "With data unread.", agreed + S.up(8) + S.down(8) + "> RST ③\n", at: [3], .toServer),
    .silent("ws/close-rst-after", "Before the answer.", agreed + S.up(8) + "> RST\n"),
  ]
}

/// Ends without a Close.
enum SocketEndRows {
  private typealias S = SocketFrames
  private static let agreed = WebSocketRows.agreed
  /// CONNECT names the protocol.
  private static let mqtt = agreed + S.up(2, bytes: [0x10, 12, 0, 4] + Array("MQTT".utf8) + [4, 2, 0, 60, 0, 0])

  static let rows: [RuleRow] = [
    .fires(
      "ws/close-missing-fin", "The server's.", agreed + S.down(1, "hi", "③") + "+1s\n< FIN ④\n> FIN\n", at: [3, 4],
      .toClient, cost: .failed(.connection), says: "1.001 s after the last frame, a text of the server"),
    .fires(
      "ws/close-missing-fin", "The server's, at once upon a message.",
      agreed + S.up(1, "hi", "③") + "+5ms\n< FIN ④\n> FIN\n", at: [3, 4], .toClient, cost: .failed(.connection),
      fix: "see its log at this message"),
    .fires(
      "ws/close-missing-fin", "The client's.", agreed + S.down(1, "hi", "③") + "+1s\n> FIN ④\n< FIN\n", at: [3, 4],
      .toServer),
    .fires(
      "ws/close-missing-fin", "The server's FIN crosses a message of the client.",
      agreed + "+1s\n" + S.up(1, "hi", length: 20) + "< FIN ④\n> PSH x\"0000\" ③\n> FIN\n", at: [3, 4], .toClient,
      cost: .failed(.connection), says: "1.00 ms before the last frame, a text of the client"),
    .fires(
      "ws/close-missing-fin", "A server of MQTT ends TCP, as its client said goodbye.",
      mqtt + S.up(2, "", "③", bytes: [0xE0, 0]) + "< FIN ④\n> FIN\n", at: [3, 4], .toClient),
    .fires(
      "ws/close-missing-fin", "A server of MQTT ends TCP in a silence.",
      mqtt + S.up(2, "", "③", bytes: [0xE0, 0]) + "+1s\n< FIN ④\n> FIN\n", at: [3, 4], .toClient,
      cost: .failed(.connection)),
    .fires(
      "ws/close-missing-fin", "The request was not captured: the 101 says what follows.",
      "< \"HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\\r\\n\\r\\n\"\n> ACK\n" + S.down(1, "hi", "③")
        + "> ACK\n+1s\n< FIN ④\n> FIN\n", at: [3, 4], .toClient, cost: .failed(.connection)),
    .silent("ws/close-missing-fin", "With a Close.", agreed + S.goodbye),
    .silent("ws/close-missing-fin", "The capture ends.", agreed + S.down(1, "hi") + "> ACK\n"),
    .fires(
      "ws/close-missing-rst", "The server's.", agreed + S.up(1, "hi", "③") + "+1s\n< RST ④\n", at: [3, 4], .toClient,
      cost: .failed(.connection)),
    .fires(
      "ws/close-missing-rst", "At once upon a message: a NAT that does not know the connection answers so, too.",
      agreed + S.up(1, "hi", "③") + "+5ms\n< RST ④\n", at: [3, 4], .toClient, cost: .failed(.connection),
      fix: "Side that ended it"),
    .silent("ws/close-missing-rst", "After a FIN.", agreed + S.up(1, "hi") + "< FIN\n> RST\n"),
    .fires(
      "ws/idle-cut", "A minute.", agreed + S.down(1, "hi", "③") + "+60s\n< FIN ④\n> FIN\n", at: [3, 4], .toClient,
      cost: .failed(.connection), says: "a timeout of 60 s"),
    .fires(
      "ws/idle-cut", "A timer of three seconds that ran out a little before.",
      agreed + S.down(1, "hi", "③") + "+2970ms\n< FIN ④\n> FIN\n", at: [3, 4], .toClient, cost: .failed(.connection)),
    .fires(
      "ws/idle-cut", "The default of a load balancer, which is not round.",
      agreed + S.down(1, "hi", "③") + "+65s\n< FIN ④\n> FIN\n", at: [3, 4], .toClient, cost: .failed(.connection),
      says: "a timeout of 65 s"),
    .silent(
      "ws/idle-cut", "Before a timer of 20 s could run out.",
      agreed + S.down(1, "hi") + "+19700ms\n< FIN\n> FIN\n"),
    .fires(
      "ws/idle-cut", "A servlet container closes and says why.",
      agreed + S.down(1, "hi", "③") + "+5s\n"
        + S.down(8, "", "④", bytes: S.close(1001, "The WebSocket session [1] idle timeout expired")) + "> ACK\n"
        + S.up(8, bytes: S.close(1001)) + "< FIN\n> FIN\n", at: [3, 4, 4], .toClient, confidence: .high,
      cost: .failed(.connection), says: "after 5.001 s without a frame"),
    .silent("ws/idle-cut", "A server goes away.", agreed + S.down(1, "hi") + "+5s\n" + S.goodbye),
    .fires(
      "ws/idle-cut", "A timer of six seconds, which no product has for a default.",
      agreed + S.down(1, "hi", "③") + "+6005ms\n< FIN ④\n> FIN\n", at: [3, 4], .toClient, cost: .failed(.connection),
      says: "a timeout of 6 s"),
    .silent(
      "ws/idle-cut", "Not at whole seconds.", agreed + S.down(1, "hi") + "+6100ms\n< FIN\n> FIN\n"),
    .silent("ws/idle-cut", "No round time.", agreed + S.down(1, "hi") + "+72s\n< FIN\n> FIN\n"),
    .silent("ws/idle-cut", "Two seconds.", agreed + S.down(1, "hi") + "+2s\n< FIN\n> FIN\n"),
    .fires(
      "ws/drop-after-ping", "FIN instead of a pong.",
      agreed + S.up(1, "hi") + S.down(1, "hi") + S.up(9, "a", "③") + "< FIN ④\n> FIN\n", at: [3, 4], .toClient,
      cost: .failed(.connection), says: "1.00 ms after a ping"),
    .silent(
      "ws/drop-after-ping", "It had answered one.",
      agreed + S.up(9, "a") + S.down(10, "a") + S.up(9, "b") + "< FIN\n> FIN\n"),
    .silent("ws/drop-after-ping", "Half a second later.", agreed + S.up(9, "a") + "+500ms\n< FIN\n> FIN\n"),
    .silent("ws/drop-after-ping", "The ping is not legal.", agreed + S.up(9, "a", key: nil) + "< FIN\n> FIN\n"),
    .fires(
      "ws/drop-after-64bit-length", "A reset in the middle.",
      agreed + "> \(S.word(S.frame(2, key: S.key, length: 70_000))) len=1000 ③\n> len=60000\n< RST ④\n", at: [3, 4],
      .toClient,
      cost: .failed(.connection), says: "were not read"),
    .silent(
      "ws/drop-after-64bit-length", "65,535 bytes.",
      agreed + "> \(S.word(S.frame(1, key: S.key, length: 65_535))) len=1000\n< RST\n"),
    .fires(
      "ws/drop-after-fragment", "The first fragment.", agreed + S.up(1, "a", "③", final: false) + "< FIN ④\n> FIN\n",
      at: [3, 4], .toClient, cost: .failed(.connection)),
    .fires(
      "ws/drop-after-fragment", "The second one.",
      agreed + S.up(1, "a", final: false) + S.up(0, "b", "③") + "< FIN ④\n> FIN\n", at: [3, 4], .toClient,
      cost: .failed(.connection)),
    .fires(
      "ws/drop-after-fragment", "The second one was on its way when the server left.",
      agreed + S.up(1, "a", "③", final: false) + "< FIN ④\n" + S.up(0, "b") + "< RST\n", at: [3, 4], .toClient,
      cost: .failed(.connection), says: "1.00 ms after"),
    .fires(
      "ws/drop-after-fragment", "The second one, behind a ping.",
      agreed + S.up(1, "a", final: false) + S.up(9, "p") + S.down(10, "p") + S.up(0, "b", "③") + "< FIN ④\n> FIN\n",
      at: [3, 4], .toClient, cost: .failed(.connection), says: "with a control frame between them"),
    .silent("ws/drop-after-fragment", "A whole message.", agreed + S.up(1, "a") + "< FIN\n> FIN\n"),
    .fires(
      "ws/drop-after-opcode", "A binary message.", agreed + S.up(2, "a", "③") + "< FIN ④\n> FIN\n", at: [3, 4],
      .toClient, cost: .failed(.connection), says: "(binary)"),
    .silent(
      "ws/drop-after-opcode", "A pong that answers the server's ping.",
      agreed + S.down(9, "a") + "+800ms\n" + S.up(10, "a") + "< FIN\n> FIN\n"),
    .silent("ws/drop-after-opcode", "A second one.", agreed + S.up(2, "a") + S.up(2, "b") + "< FIN\n> FIN\n"),
    .silent(
      "ws/drop-after-opcode", "The server answers it, and ends then.",
      agreed + S.up(2, "a") + S.down(2, "b") + "< FIN\n> FIN\n"),
    .silent("ws/drop-after-opcode", "With a Close.", agreed + S.up(2, "a") + S.down(8) + "< FIN\n> FIN\n"),
    .fires(
      "ws/hs-client-rejected", "A wrong digest.",
      handshake + WebSocketRows.ask() + WebSocketRows.switching(accept: #"Sec-WebSocket-Accept: abc\r\n"#)
        + "> FIN ③\n< FIN\n", at: [2, 3], .toServer, cost: .failed(.connection)),
    .fires(
      "ws/hs-client-rejected", "Nothing is wrong.", agreed + "> FIN ③\n< FIN\n", at: [2, 3], .toServer, confidence: .low
    ),
    .silent("ws/hs-client-rejected", "After a frame.", agreed + S.up(1, "hi") + "> FIN\n< FIN\n"),
    .silent("ws/hs-client-rejected", "The server closes at once.", agreed + SocketFrames.down(8) + "> FIN\n< FIN\n"),
    .silent("ws/hs-client-rejected", "A second later.", agreed + "+1s\n> FIN\n< FIN\n"),
    .fires(
      "ws/hs-accept-mismatch", "The client leaves for it.",
      handshake + WebSocketRows.ask() + WebSocketRows.switching(accept: #"Sec-WebSocket-Accept: abc\r\n"#)
        + "> FIN ③\n< FIN\n", at: [1, 2, 3], .toClient, confidence: .medium, cost: .failed(.connection)),
    .fires(
      "ws/ext-offered-not-negotiated", "Sixty kilobytes went as they were.",
      handshake + WebSocketRows.ask(#"Sec-WebSocket-Extensions: permessage-deflate\r\n"#) + WebSocketRows.switching()
        + "< \(S.word(S.frame(1, length: 60_000))) len=60000\n" + S.goodbye, at: [1, 2], .toClient, severity: .warning,
      says: "60,000 B"),
  ]
}

/// Pings and pongs.
enum SocketPingRows {
  private typealias S = SocketFrames
  private static let agreed = WebSocketRows.agreed

  private static func pings(
    _ count: Int, every pause: String, answered: String?, isMarked: Bool = true
  ) -> String {
    (0..<count).map { number in
      let isFirst = isMarked && number == 0
      return S.down(9, "\(number)", isFirst ? "③" : "")
        + (answered.map { "+\($0)\n" + S.up(10, "\(number)", isFirst ? "④" : "") } ?? "") + "+\(pause)\n"
    }.joined()
  }

  private static let engine = S.down(1, "0{\"sid\":\"a\"}")

  private static func mqtt(_ keepAlive: UInt8, _ marker: String = "") -> String {
    S.up(2, "", marker, bytes: [0x10, 14, 0, 4] + Array("MQTT".utf8) + [4, 2, 0, keepAlive, 0, 2, 0x61, 0x62])
  }

  private static func opened(_ interval: Int, _ timeout: Int, _ marker: String = "") -> String {
    let text = "0{\"sid\":\"Bk4xCv9\",\"upgrades\":[],\"pingTimeout\":\(timeout),\"pingInterval\":\(interval)}"
    return S.down(1, "", marker, bytes: Array(text.utf8))
  }

  private static func heartbeat() -> String { S.down(1, "2") + S.up(1, "3") + "+2s\n" }

  static let rows: [RuleRow] = [
    .fires(
      "ws/ping-unanswered", "The server gives up.",
      agreed + pings(4, every: "300ms", answered: nil) + "< FIN ⑤\n> FIN\n",
      at: [3, 5], .toClient, cost: .failed(.connection), count: 4, says: "4 pings"),
    .fires(
      "ws/ping-unanswered", "Ten seconds, and the connection goes on.",
      agreed + S.up(9, "a", "③") + "+11s\n" + S.down(1, "hi") + "> ACK\n", at: [3], .toServer),
    .silent(
      "ws/ping-unanswered", "One pong answers all before.",
      agreed + S.up(9, "a") + S.up(9, "b") + S.up(9, "c") + S.down(10, "c") + "+11s\n" + S.down(1, "hi") + "> ACK\n"),
    .fires(
      "ws/ping-unanswered", "The client leaves, and might have answered yet.",
      agreed + S.down(9, "a", "③") + "+3s\n> FIN ④\n< FIN\n", at: [3, 4], .toClient, says: "for 3.001 s"),
    .fires(
      "ws/ping-unanswered", "The client leaves, and had not answered for long.",
      agreed + S.down(9, "a", "③") + "+12s\n> FIN ④\n< FIN\n", at: [3, 4], .toClient, cost: .failed(.connection)),
    .fires(
      "ws/ping-unanswered", "The server answers the ping with the end of TCP.",
      agreed + S.up(9, "a", "③") + "< FIN ④\n> FIN\n", at: [3, 4], .toServer, cost: .failed(.connection)),
    .silent(
      "ws/ping-unanswered", "The client leaves a millisecond after it.", agreed + S.down(9, "a") + "> FIN\n< FIN\n"),
    .silent(
      "ws/ping-unanswered", "Three at once, and the server leaves.",
      agreed + S.down(9, "a") + S.down(9, "b") + S.down(9, "c") + "< FIN\n> FIN\n"),
    .silent("ws/ping-unanswered", "A Close overtakes it.", agreed + S.up(9, "a") + S.goodbye),
    .silent("ws/ping-unanswered", "The capture ends at once.", agreed + S.up(9, "a") + "< ACK\n"),
    .fires(
      "ws/pong-mismatch", "Other bytes.", agreed + S.up(9, "a", "③") + S.down(10, "b", "④") + S.goodbye, at: [3, 4],
      .toClient),
    .silent("ws/pong-mismatch", "The same bytes.", agreed + S.up(9, "a") + S.down(10, "a") + S.goodbye),
    .fires("ws/pong-unsolicited", "Nobody asked.", agreed + S.up(10, "a", "③") + S.goodbye, at: [3], .toServer),
    .silent("ws/pong-unsolicited", "A ping asked.", agreed + S.up(9, "a") + S.down(10, "a") + S.goodbye),
    .fires(
      "ws/ping-flood", "Fifty a second.",
      agreed + (1...50).map { S.up(9, "\($0)", $0 == 1 ? "③" : $0 == 41 ? "④" : "") + "+20ms\n" }.joined() + S.goodbye,
      at: [3, 4], .toServer),
    .silent(
      "ws/ping-flood", "Ten at once.",
      agreed + (1...10).map { S.up(9, "\($0)") }.joined() + S.down(10, "10") + S.goodbye),
    .fires(
      "ws/ping-rtt-high", "Four tenths of a second.", agreed + pings(3, every: "1s", answered: "400ms") + S.goodbye,
      at: [3, 4], .toServer, says: "0.401 s"),
    .fires(
      "ws/ping-rtt-high", "One of many waits for a program that stands still.",
      agreed + pings(30, every: "100ms", answered: "1ms", isMarked: false) + S.down(9, "x", "③") + "+5s\n"
        + S.up(10, "x", "④") + S.goodbye, at: [3, 4], .toServer, cost: .delay(nanoseconds: 5_001_000_000),
      says: "one took 5.001 s, and most no longer than"),
    .silent("ws/ping-rtt-high", "A tenth of a second.", agreed + pings(3, every: "1s", answered: "100ms") + S.goodbye),
    .fires(
      "ws/keepalive-none", "Forty seconds.",
      agreed + S.up(1, "a", "③") + "+40s\n" + S.up(1, "b", "④") + "+30s\n" + S.goodbye, at: [3, 4]),
    .silent(
      "ws/keepalive-none", "A ping between.",
      agreed + S.up(1, "a") + "+40s\n" + S.up(9, "b") + "+30s\n" + S.down(10, "b")),
    .silent(
      "ws/keepalive-none", "Twenty seconds each.",
      agreed + (1...4).map { S.up(1, "\($0)") + "+20s\n" }.joined() + S.goodbye),
    .fires(
      "ws/keepalive-timeout", "It says so.",
      agreed + S.down(9, "a", "③") + "+20s\n" + S.down(8, "", "④", bytes: S.close(1011, "keepalive ping timeout"))
        + "< FIN\n",
      at: [3, 4, 4], .toClient, confidence: .high, cost: .failed(.connection)),
    .fires(
      "ws/keepalive-timeout", "It says so, and the other side wakes up, answers the ping and repeats the Close.",
      agreed + S.down(9, "a", "③") + "+2s\n" + S.down(8, "", "④", bytes: S.close(1011, "keepalive ping timeout"))
        + "+3s\n" + S.up(10, "a") + S.up(8, bytes: S.close(1011, "keepalive ping timeout")) + "< FIN\n> FIN\n",
      at: [3, 4, 4], .toClient, confidence: .high, cost: .failed(.connection),
      says: "over 1 ping without a pong, 2.001 s after the first of them"),
    .fires(
      "ws/keepalive-timeout", "Tornado says it with another code.",
      agreed + S.down(9, "a", "③") + "+1s\n" + S.down(8, "", "④", bytes: S.close(1000, "ping timed out")) + "< FIN\n",
      at: [3, 4, 4], .toClient, confidence: .high, cost: .failed(.connection)),
    .fires(
      "ws/keepalive-timeout", "It just leaves.",
      agreed + pings(2, every: "5s", answered: nil) + "< FIN ④\n> FIN\n", at: [3, 4], .toClient,
      cost: .failed(.connection), says: "sent every 5.001 s"),
    .fires(
      "ws/keepalive-timeout", "It leaves over one ping, and the pong comes afterwards.",
      agreed + S.down(9, "a", "③") + "+500ms\n< FIN ④\n+2s\n" + S.up(10, "a", "⑤") + "> FIN\n", at: [3, 4, 5],
      .toClient, cost: .failed(.connection), says: "the pong came 2.502 s after the ping"),
    .fires(
      "ws/keepalive-timeout", "The same, and it had gone on sending.",
      agreed + S.down(9, "a", "③") + "+1s\n" + S.down(1, "news") + "+1s\n< FIN ④\n+2s\n" + S.up(10, "a", "⑤")
        + "> FIN\n",
      at: [3, 4, 5], .toClient, cost: .failed(.connection), says: "2.002 s after a ping without a pong"),
    .fires(
      "ws/keepalive-timeout", "Its ping was answered here, and it says that it was not.",
      agreed + S.up(9, "a", "③") + S.down(10, "a", "④") + "+20s\n"
        + S.up(8, "", "⑤", bytes: S.close(1011, "keepalive ping timeout")) + "> FIN\n", at: [3, 4, 5, 5], .toServer,
      cost: .failed(.connection), says: "the last one was answered here after 1.00 ms, 20.001 s before",
      fix: "its pings were answered"),
    .fires(
      "ws/keepalive-timeout", "It cuts the connection off over one ping.",
      agreed + S.down(9, "a", "③") + "+2s\n< RST ④\n", at: [3, 4], .toClient, cost: .failed(.connection)),
    .fires(
      "ws/keepalive-timeout", "It leaves over one ping, although the other side goes on sending.",
      agreed + S.up(9, "a", "③") + S.down(1, "news") + "+1s\n" + S.down(1, "more") + "+1s\n> FIN ④\n< FIN\n",
      at: [3, 4], .toServer, cost: .failed(.connection), says: "over 1 ping without a pong, 2.00"),
    .fires(
      "ws/keepalive-timeout", "A client of Engine.IO stops to answer heartbeats.",
      agreed + engine + heartbeat() + S.down(1, "2", "③") + "+3s\n" + S.down(8, "", "④", bytes: S.close(1005, "")),
      at: [3, 4], .toClient, cost: .failed(.connection), says: "3.001 s after a heartbeat of Engine.IO"),
    .fires(
      "ws/keepalive-timeout", "The same, and the client wakes up and answers.",
      agreed + engine + heartbeat() + S.down(1, "2", "③") + "+3s\n" + S.down(8, "", "④", bytes: S.close(1000, ""))
        + "+2s\n" + S.up(8, "", bytes: S.close(1000, "")) + S.up(1, "3"),
      at: [3, 4], .toClient, cost: .failed(.connection)),
    .fires(
      "ws/keepalive-timeout", "The same, and the server just ends TCP.",
      agreed + engine + S.down(1, "2", "③") + "+3s\n< FIN ④\n> FIN\n", at: [3, 4], .toClient,
      cost: .failed(.connection)),
    .fires(
      "ws/keepalive-timeout", "A client of MQTT promised to be heard every five seconds.",
      agreed + mqtt(5, "③") + S.down(2, bytes: [0x20, 2, 0, 0]) + S.up(2, "", "④", bytes: [0xE0, 0])
        + "+8s\n< FIN ⑤\n> FIN\n",
      at: [3, 4, 5], .toClient, cost: .failed(.connection),
      says: "7.500 s are allowed (MQTT: one and a half Keep Alive of 5 s)", fix: "raise Keep Alive"),
    .silent(
      "ws/keepalive-timeout", "Its broker leaves before that.",
      agreed + mqtt(5) + S.down(2, bytes: [0x20, 2, 0, 0]) + "+6s\n< FIN\n> FIN\n"),
    .silent(
      "ws/keepalive-timeout", "It promised nothing.",
      agreed + mqtt(0) + S.down(2, bytes: [0x20, 2, 0, 0]) + "+60s\n< FIN\n> FIN\n"),
    .fires(
      "ws/keepalive-timeout", "A server of Engine.IO sends nothing for as long as its open packet says.",
      agreed + opened(3_000, 1_500, "③") + S.down(1, "40", "④") + S.up(1, "42[1]") + "+4600ms\n> FIN ⑤\n< FIN\n",
      at: [3, 4, 5], .toServer, cost: .failed(.connection),
      says: "4.500 s are allowed (Engine.IO: pingInterval and pingTimeout)", fix: "find what blocked it"),
    .silent(
      "ws/keepalive-timeout", "Its client leaves before that.",
      agreed + opened(3_000, 1_500) + S.down(1, "40") + S.up(1, "42[1]") + "+3100ms\n> FIN\n< FIN\n"),
    .fires(
      "ws/keepalive-timeout", "The open packet came by polling: a timer of whole seconds, with questions in it.",
      agreed + S.down(1, "40", "③") + S.up(1, "42[1]") + "+2s\n" + S.up(1, "42[2]") + "+3s\n> FIN ④\n< FIN\n",
      at: [3, 4], .toServer, cost: .failed(.connection), says: "5 s look like pingInterval and pingTimeout"),
    .silent(
      "ws/keepalive-timeout", "Nothing was asked: somebody left.",
      agreed + S.down(1, "40") + "+5s\n> FIN\n< FIN\n"),
    .silent(
      "ws/keepalive-timeout", "No whole seconds.",
      agreed + S.down(1, "40") + S.up(1, "42[1]") + "+2s\n" + S.up(1, "42[2]") + "+3300ms\n> FIN\n< FIN\n"),
    .fires(
      "ws/keepalive-timeout", "A client says that its heartbeats were not answered.",
      agreed + S.up(1, "[null,\"5\"]") + "+2s\n" + S.up(8, "", "③", bytes: S.close(1000, "heartbeat timeout")),
      at: [3, 3], .toServer, confidence: .high, cost: .failed(.connection),
      says: "over heartbeats that were not answered"),
    .silent(
      "ws/keepalive-timeout", "A server of Engine.IO leaves, and the last heartbeat was answered.",
      agreed + engine + heartbeat() + "+3s\n" + S.down(8, bytes: S.close(1000, "")) + "< FIN\n"),
    .silent(
      "ws/keepalive-timeout", "The older Engine.IO: the client asks, and the server leaves later.",
      agreed + engine + S.up(1, "2") + S.down(1, "3") + "+3s\n" + S.down(8, bytes: S.close(1000, "")) + "< FIN\n"),
    .silent(
      "ws/keepalive-timeout", "A server of Engine.IO leaves right behind a heartbeat.",
      agreed + engine + S.down(1, "2") + "+300ms\n< FIN\n> FIN\n"),
    .silent(
      "ws/keepalive-timeout", "Messages of one byte that are no heartbeats.",
      agreed + S.down(1, "x") + "+3s\n" + S.down(8, bytes: S.close(1000, "")) + "< FIN\n"),
    .silent(
      "ws/keepalive-timeout", "It leaves half a second after a ping.",
      agreed + S.up(9, "a") + "+500ms\n> FIN\n< FIN\n"),
    .silent(
      "ws/keepalive-timeout", "It leaves for its own reasons, with the pong on its way.",
      agreed + S.down(9, "a") + "+500ms\n< FIN\n" + S.up(10, "a") + "> FIN\n"),
    .silent(
      "ws/keepalive-timeout", "The client spoke meanwhile, so that it was not the ping over which it left.",
      agreed + S.down(9, "a") + S.up(1, "text") + "+500ms\n< FIN\n+2s\n" + S.up(10, "a") + "> FIN\n"),
    .silent(
      "ws/keepalive-timeout", "Two pings at once, and it leaves.",
      agreed + S.down(9, "a") + S.down(9, "b") + "< FIN\n> FIN\n"),
    .silent(
      "ws/keepalive-timeout", "Another error.",
      agreed + S.down(9, "a") + "+2s\n" + S.down(8, bytes: S.close(1011, "oops"))),
    .silent(
      "ws/keepalive-timeout", "The pings were answered.",
      agreed + pings(2, every: "5s", answered: "1ms") + "< FIN\n> FIN\n"),
  ]
}

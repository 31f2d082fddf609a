import Events

/// What several connections show together.
enum WebSocketCaptureRows {
  private typealias W = WebSocketRows

  private static func connection(
    _ port: Int, to server: String = "10.0.0.2:80", from client: String = "10.0.0.1", at start: String, _ body: String
  ) -> String {
    "== \(client):\(port) \(server) +\(start)\n" + handshake + body
  }

  private static func key(_ number: Int) -> String { #"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAA\#(number)A==\r\n"# }

  /// From the client to the proxy and, 10 ms later, from there to the server.
  private static func hops(_ inner: String, _ answer: String, _ outer: String) -> String {
    connection(40_000, at: "0ms", W.ask() + "+40ms\n" + outer)
      + connection(
        50_000, to: "10.0.0.3:80", from: "10.0.0.2", at: "10ms", inner.replacing("①", with: "③") + answer)
  }

  private static func attempts(
    _ count: Int, every milliseconds: Int, then end: String = "< FIN\n> FIN\n", second: String = ""
  ) -> String {
    (0..<count).map { number in
      let marker = ["①", "②", "③", "④", "⑤", "⑥"][number]
      return connection(
        40_000 + number, at: "\(number * milliseconds)ms",
        W.ask(key: key(number), marker: marker) + W.switching(marker: "")
          + (number == 0 ? end : end.replacing("⑧", with: second)))
    }.joined()
  }

  static let rows: [RuleRow] = [
    .fires(
      "ws/hs-key-reused", "The sample of RFC 6455, on two connections.",
      connection(40_000, at: "0ms", W.ask() + W.switching())
        + connection(40_001, at: "100ms", W.ask(marker: "③") + W.switching(marker: "")), at: [1, 3], .toServer),
    .silent("ws/hs-key-reused", "A new one each time.", attempts(2, every: 100)),
    .silent("ws/hs-key-reused", "A proxy between.", hops(W.ask(), W.switching(marker: ""), W.switching())),
    .fires(
      "ws/proxy-hop", "A proxy between.", hops(W.ask(), W.switching(marker: ""), W.switching()), at: [1, 3], .toServer,
      says: "connection #2 carries the same handshake"),
    .silent(
      "ws/proxy-hop", "The same key later.",
      connection(40_000, at: "0ms", W.ask() + W.switching())
        + connection(40_001, at: "100ms", W.ask(marker: "") + W.switching(marker: ""))),
    .fires(
      "ws/hs-stripped-by-proxy", "HTTP/1.0, and Connection: close.",
      hops(
        W.ask(line: "GET /chat HTTP/1.0", upgrade: #"Connection: close\r\n"#), W.refusal(marker: ""), W.refusal()),
      at: [1, 3, 3], .toServer, cost: .failed(.exchange),
      says: "Upgrade is gone, Connection is \"close\", it is HTTP/1.0"),
    .silent("ws/hs-stripped-by-proxy", "All is passed on.", hops(W.ask(), W.refusal(marker: ""), W.refusal())),
    .fires(
      "ws/hs-second-in-connecting", "Two at once.",
      connection(40_000, at: "0ms", W.ask(key: key(1)) + "+50ms\n" + W.switching(marker: "③"))
        + connection(40_001, at: "10ms", W.ask(key: key(2), marker: "②") + W.switching(marker: "")), at: [1, 2, 3],
      .toServer),
    .silent("ws/hs-second-in-connecting", "One after the other.", attempts(2, every: 100)),
    .silent(
      "ws/hs-second-in-connecting", "A proxy asks for two clients.",
      connection(40_000, at: "0ms", W.ask(#"X-Forwarded-For: 10.0.0.9\r\n"#, key: key(1)) + "+50ms\n" + W.switching())
        + connection(
          40_001, at: "10ms",
          W.ask(#"X-Forwarded-For: 10.0.0.8\r\n"#, key: key(2), marker: "") + W.switching(marker: ""))),
    .fires(
      "ws/drop-after-close", "On two connections.",
      attempts(2, every: 500, then: SocketFrames.up(8, "", "⑧") + "< FIN\n> FIN\n", second: "⑨"),
      at: [8, 9], .toClient, count: 2),
    .silent(
      "ws/drop-after-close", "On one of two.",
      attempts(1, every: 500, then: SocketFrames.up(8) + "< FIN\n> FIN\n")
        + connection(40_009, at: "5s", W.ask(key: key(9), marker: "") + W.switching(marker: "") + SocketFrames.goodbye)),
    .fires(
      "ws/server-profile", "Pings and Closes.",
      connection(
        40_000, at: "0ms",
        W.ask(key: key(1)) + W.switching() + SocketFrames.up(9) + SocketFrames.down(10) + SocketFrames.goodbye)
        + connection(
          40_001, at: "100ms", W.ask(key: key(2), marker: "") + W.switching(marker: "③") + SocketFrames.goodbye),
      at: [2, 3], .toClient, says: "on 2 connections: it answers pings, it answers Close"),
    .silent("ws/server-profile", "One connection.", W.agreed + SocketFrames.goodbye),
    .fires(
      "ws/reconnect-loop", "Five in two seconds.", attempts(5, every: 500), at: [1, 2, 3, 4, 5], .toServer, count: 5,
      says: "5 times within 2.000 s"),
    .silent("ws/reconnect-loop", "Each was closed by the client.", attempts(5, every: 500, then: SocketFrames.goodbye)),
    .silent("ws/reconnect-loop", "Five side by side.", attempts(5, every: 1)),
    .silent("ws/reconnect-loop", "Four.", attempts(4, every: 500)),
    .silent("ws/reconnect-loop", "One every twenty seconds.", attempts(5, every: 20_000)),
    .silent("ws/reconnect-loop", "They live for ten seconds.", attempts(5, every: 500, then: "+10s\n< FIN\n> FIN\n")),
  ]
}

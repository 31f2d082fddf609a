import Events

/// All rows of the family.
enum PollRows {
  private static let ask = #"> "GET /poll?timeout=10 HTTP/1.1\r\nHost: h.example\r\n\r\n""#
  private static let none = #"< "HTTP/1.1 204 No Content\r\n\r\n""#
  private static func message(_ text: String) -> String {
    "< \"HTTP/1.1 200 OK\\r\\nContent-Length: \(text.count)\\r\\n\\r\\n\(text)\""
  }

  private static func script(_ lines: String...) -> String { lines.joined(separator: "\n") + "\n" }
  private static let quick = (0..<3).map { _ in "\(ask)\n\(none)\n" }.joined()

  private static func connection(_ port: Int, after: String, _ lines: String...) -> String {
    "== 10.0.0.1:\(port) 10.0.0.2:80 +\(after)\n" + handshake + lines.joined(separator: "\n") + "\n"
  }

  static let rows: [RuleRow] = [
    .fires(
      "poll/interval-tight", "Once it is held, and then the server forgets to hold it.",
      handshake + script(ask, "+5s", none, ask + " ①", none) + quick + script(ask, none + " ②"), at: [1, 2], .toServer,
      count: 5, says: "5 polls"),
    .silent(
      "poll/interval-tight", "Five messages, one after another.",
      handshake + script(ask, "+5s", none) + (1...5).map { "\(ask)\n\(message("m\($0)"))\n" }.joined()),
    .silent("poll/interval-tight", "It is never held: no long poll.", handshake + quick + quick),
    .silent(
      "poll/interval-tight", "The client pauses.",
      handshake + script(ask, "+5s", none) + (1...5).map { _ in "+300ms\n\(ask)\n\(none)\n" }.joined()),
    .fires(
      "poll/timeout-vs-server", "The server answers after ten seconds, and so long the client waits.",
      connection(40_001, after: "0s", ask + " ③", "+9999ms", none + " ④", "> FIN", "< FIN")
        + connection(40_002, after: "11s", ask + " ①", "+10s", "> FIN ②", "< FIN"), at: [1, 2, 3, 4], .toServer),
    .fires(
      "poll/timeout-vs-server", "The client never sees an answer.",
      connection(40_001, after: "0s", ask + " ①", "+5s", "> FIN ②", "< FIN")
        + connection(40_002, after: "6s", ask + " ③", "+5s", "> FIN ④", "< FIN"), at: [1, 2, 3, 4], .toServer),
    .fires(
      "poll/timeout-vs-server", "The answer comes when the client has just left.",
      connection(40_001, after: "0s", ask + " ①", "+10s", "> FIN ②", "+60ms", none + " ③", "> RST"), at: [1, 2, 3],
      .toServer, says: "the client left after 10.001 s, and the answer came 61.0 ms later"),
    .silent(
      "poll/timeout-vs-server", "A client that closes its sending side with the request waits for the answer.",
      connection(40_001, after: "0s", ask, "> FIN", "+500ms", none, "< FIN")
        + connection(40_002, after: "6s", ask, "> FIN", "+5s", none, "< FIN")),
    .silent(
      "poll/timeout-vs-server", "The user leaves a poll, once, early.",
      connection(40_001, after: "0s", ask, "+10s", none, "> FIN", "< FIN")
        + connection(40_002, after: "11s", ask, "+4s", "> FIN", "< FIN")),
    .fires(
      "poll/overlap", "The client asks again without leaving the first poll.",
      connection(40_001, after: "0s", ask + " ①", "+10s", none + " ③", "> FIN", "< FIN")
        + connection(40_002, after: "3s", ask + " ②", "+10s", none, "> FIN", "< FIN"), at: [1, 2, 3], .toServer),
    .silent(
      "poll/overlap", "One after another.",
      connection(40_001, after: "0s", ask, "+3s", none, "> FIN", "< FIN")
        + connection(40_002, after: "4s", ask, "+10s", none, "> FIN", "< FIN")),
  ]
}

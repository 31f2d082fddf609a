import Citation
import Events

/// Rows of the rules about exchanges, in files by topic.
enum HTTPExchangeRows {
  static let rows: [RuleRow] = connections + uploads + captures + failures
}

extension HTTPExchangeRows {
  private static let get = "> \"GET /a HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n\"\n"
  private static let ok = "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n"

  /// A GET meets the FIN of an idle connection, and a reset; then another connection is opened.
  private static func raced(again after: String) -> String {
    handshake + get + """
      < "\(ok)\\r\\n" ①
      > ACK
      +5s
      > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ②
      < FIN ③
      < RST ④
      == 10.0.0.1:40001 10.0.0.2:80 +\(after)

      """ + handshake
  }

  /// How connections are kept and closed.
  static let connections: [RuleRow] = [
    .fires(
      "http/keepalive-race", "a POST meets the FIN of an idle connection, and a reset",
      handshake + get + """
        < "\(ok)\\r\\n" ①
        > ACK
        +5s
        > "POST /b HTTP/1.1\\r\\nHost: im.example\\r\\nContent-Length: 2\\r\\n\\r\\nhi" ②
        < FIN ③
        < RST ④
        """, at: [1, 2, 3, 4], .toClient, cost: .failed(.exchange), says: "idle for 5.002 s"),
    .fires(
      "http/keepalive-race", "a request is answered by a reset alone",
      handshake + get + """
        < "\(ok)\\r\\n" ①
        +2s
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ②
        < RST ③
        """, at: [1, 2, 3], .toClient, cost: .failed(.exchange)),
    .fires(
      "http/keepalive-race", "a server that is reloaded closes right behind its answer",
      handshake + get + """
        < "\(ok)\\r\\n" ①
        < FIN ②
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ③
        < RST ④
        """, at: [1, 2, 3, 4], .toClient, cost: .failed(.exchange), says: "the server's FIN was sent"),
    .fires(
      "http/keepalive-race", "a client that stood still uses what the server had closed long ago",
      handshake + get + """
        < "\(ok)\\r\\n" ①
        > ACK
        +5s
        < FIN ②
        > ACK
        +6s
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ③
        < RST ④
        """, at: [1, 2, 3, 4], .toClient, cost: .failed(.exchange),
      fix: "Client: it used the connection 6.002 s after the server had closed it"),
    .fires(
      "http/keepalive-race", "the server's FIN is lost, and the client cannot know",
      handshake + get + """
        < "\(ok)\\r\\n" ①
        > ACK
        +5s
        < FIN ②
        +300ms
        < FIN seq-1
        +600ms
        < FIN seq-1
        +6s
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ③
        < RST ④
        """, at: [1, 2, 3, 4], .toClient, cost: .failed(.exchange),
      says: "the server's FIN was sent 6.903 s before it, and retransmitted without an acknowledgement.",
      fix: "the server's FIN did not arrive"),
    .fires(
      "http/keepalive-race", "the client repeats it at once, and is answered",
      raced(again: "5010ms") + get.replacing("/a", with: "/b") + "< \"\(ok)\\r\\n\"\n", at: [1, 2, 3, 4], .toClient,
      severity: .note, says: "The client repeated it 7.00 ms later, and was answered."),
    .fires(
      "http/keepalive-race", "the client repeats it half a second later",
      raced(again: "5510ms") + get.replacing("/a", with: "/b") + "< \"\(ok)\\r\\n\"\n", at: [1, 2, 3, 4], .toClient,
      severity: .warning, cost: .delay(nanoseconds: 507_000_000)),
    .fires(
      "http/keepalive-race", "it asks for the same again and again",
      raced(again: "5010ms")
        + String(repeating: get.replacing("/a", with: "/b") + "< \"\(ok)\\r\\n\"\n+5s\n", count: 9),
      at: [1, 2, 3, 4], .toClient, severity: .note, says: "The client repeated it 7.00 ms later, and was answered."),
    .fires(
      "http/keepalive-race", "it asks for the same with the next poll",
      raced(again: "9s") + get.replacing("/a", with: "/b") + "< \"\(ok)\\r\\n\"\n", at: [1, 2, 3, 4], .toClient,
      cost: .failed(.exchange)),
    .fires(
      "http/keepalive-race", "what it asks for next is something else",
      raced(again: "5010ms") + get + "< \"\(ok)\\r\\n\"\n", at: [1, 2, 3, 4], .toClient, cost: .failed(.exchange)),
    .silent(
      "http/keepalive-race", "nothing reaches the server, and it closes on its own long after",
      handshake + get + """
        < "\(ok)\\r\\n"
        > ACK
        +3s
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n"
        +1s
        < FIN
        +12s
        < RST
        """),
    .silent(
      "http/keepalive-race", "a server that stands still resets a request after six seconds",
      handshake + get + """
        < "\(ok)\\r\\n"
        +2s
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n"
        < ACK
        +6s
        < RST
        """),
    .silent(
      "http/keepalive-race", "the connection was in use a moment ago",
      handshake + get + """
        < "\(ok)\\r\\n"
        +200ms
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n"
        < FIN
        > FIN
        """),
    .silent(
      "http/keepalive-race", "the server had said that it would close",
      handshake + get + """
        < "\(ok)Connection: close\\r\\n\\r\\n"
        +5s
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n"
        < RST
        """),
    .silent(
      "http/keepalive-race", "the server thinks for three seconds and gives up: no race",
      handshake + get + """
        < "\(ok)\\r\\n"
        +5s
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n"
        < ACK
        +3s
        < FIN
        > FIN
        """),
    .fires(
      "http/reply-after-close", "the answer meets a closed socket",
      handshake + get + """
        > FIN ①
        +20ms
        < "\(ok)\\r\\n" ②
        > RST ③
        """, at: [1, 2, 3], .toServer, cost: .failed(.exchange), says: "21.0 ms after that"),
    .fires(
      "http/reply-after-close", "a load generator stops in the middle of its loop",
      handshake + (1...20).map { _ in get + "< \"\(ok)\\r\\n\"\n" }.joined() + get + """
        > FIN ①
        < "\(ok)\\r\\n" ②
        > RST ③
        """, at: [1, 2, 3], .toServer, severity: .note, says: "and was never read"),
    .fires(
      "http/reply-after-close", "the client's FIN is what the server had waited for",
      handshake + get + """
        +5s
        > FIN ①
        < "\(ok)\\r\\n" ②
        > RST ③
        """, at: [1, 2, 3], .toClient, confidence: .medium, cost: .failed(.exchange),
      says: "it seems to have waited for the end of the stream"),
    .silent(
      "http/reply-after-close", "an upload is broken off: that is the story",
      handshake + """
        > "POST /u HTTP/1.1\\r\\nHost: im.example\\r\\nContent-Length: 1000\\r\\n\\r\\n" len=100
        > FIN
        +20ms
        < "\(ok)\\r\\n"
        > RST
        """),
    .silent(
      "http/reply-after-close", "a client that closes its sending side and reads the answer",
      handshake + get + """
        > FIN
        +20ms
        < "\(ok)\\r\\n"
        > ACK
        < FIN
        > ACK
        """),
    .fires(
      "http/close-not-honoured", "the server says close and waits for the client to do it",
      handshake + get + """
        < "\(ok)Connection: close\\r\\n\\r\\n" ①
        > ACK
        +3s
        > FIN ②
        < FIN
        """, at: [1, 2], .toClient, says: "3.002 s"),
    .fires(
      "http/close-not-honoured", "the client sends another request after close",
      handshake + get + """
        < "\(ok)Connection: close\\r\\n\\r\\n" ①
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ②
        < FIN
        < RST
        """, at: [1, 2], .toServer, cost: .failed(.exchange)),
    .fires(
      "http/close-not-honoured", "the client says close itself, and sends another request before any answer",
      handshake + """
        > "GET /a HTTP/1.1\\r\\nHost: im.example\\r\\nConnection: close\\r\\n\\r\\n" ①
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ②
        """, at: [1, 2], .toServer),
    .silent(
      "http/close-not-honoured", "requests that were on their way when the server announced the close",
      handshake + get + """
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n"
        < "\(ok)Connection: close\\r\\n\\r\\n"
        < FIN
        """),
    .silent(
      "http/close-not-honoured", "the server closes at once",
      handshake + get + """
        < "\(ok)Connection: close\\r\\n\\r\\n"
        < FIN
        +3s
        > FIN
        """),
    .silent(
      "http/close-not-honoured", "the capture ends before anybody closes",
      handshake + get + "< \"\(ok)Connection: close\\r\\n\\r\\n\"\n> ACK\n"),
    .fires(
      "http/http10-keepalive", "an HTTP/1.0 request asks to keep the connection",
      handshake + """
        > "GET / HTTP/1.0\\r\\nConnection: Keep-Alive\\r\\n\\r\\n" ①
        < "\(ok)\\r\\n"
        """, at: [1, 1], .toServer),
    .silent(
      "http/http10-keepalive", "HTTP/1.1 may say keep-alive",
      handshake + """
        > "GET / HTTP/1.1\\r\\nHost: im.example\\r\\nConnection: keep-alive\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        """),
    .fires(
      "http/pipelined", "a second request before the first response",
      handshake + get + """
        > "GET /b HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n" ①
        < "\(ok)\\r\\n" ②
        < "\(ok)\\r\\n"
        """, at: [1, 2], .toServer),
    .silent(
      "http/pipelined", "the next request acknowledges a response that is not in the capture",
      handshake + get + "< \"\(ok)\\r\\n\" !lost\n" + get + "< \"\(ok)\\r\\n\"\n"),
    .silent(
      "http/pipelined", "behind bytes that are no message nobody knows where one begins",
      handshake + get + "< \"\(ok)\\r\\n\"\n> len=40\n" + get + get + "< \"\(ok)\\r\\n\"\n< \"\(ok)\\r\\n\"\n"),
    .silent(
      "http/pipelined", "one request after the other",
      handshake + get + "< \"\(ok)\\r\\n\"\n" + get + "< \"\(ok)\\r\\n\"\n"),
    .fires(
      "http/response-unmatched", "the server answers twice",
      handshake + get + """
        < "\(ok)\\r\\n" ①
        +10ms
        < "\(ok)\\r\\n" ②
        > FIN
        < FIN
        """, at: [1, 2], .toClient, says: "1 response"),
    .silent(
      "http/response-unmatched", "408 to an idle connection",
      handshake + get + """
        < "\(ok)\\r\\n"
        +10s
        < "HTTP/1.1 408 Request Timeout\\r\\nContent-Length: 0\\r\\n\\r\\n"
        < FIN
        """),
    .silent(
      "http/response-unmatched", "400 to bytes that are no request",
      handshake + get + """
        < "\(ok)\\r\\n"
        > "T / HTTP\\r\\n\\r\\n"
        < "HTTP/1.1 400 Bad Request\\r\\nContent-Length: 0\\r\\n\\r\\n"
        < FIN
        > FIN
        """),
    .fires(
      "http/hop-by-hop-leak", "a proxy's field arrives at the server",
      handshake + """
        > "GET / HTTP/1.1\\r\\nHost: im.example\\r\\nProxy-Connection: keep-alive\\r\\n\\r\\n" ①
        < "\(ok)\\r\\n"
        """, at: [1], .toServer, says: "Proxy-Connection"),
    .fires(
      "http/hop-by-hop-leak", "Connection names the length",
      handshake + get + """
        < "\(ok)Connection: keep-alive, Content-Length\\r\\n\\r\\n" ①
        """, at: [1], .toClient, says: "names Content-Length"),
    .silent(
      "http/hop-by-hop-leak", "the snapshot length cuts the head before Connection",
      handshake + """
        > "GET / HTTP/1.1\\r\\nHost: im.example\\r\\nTE: gzip\\r\\nCo" wire=120
        < "\(ok)\\r\\n"
        """),
    .silent(
      "http/hop-by-hop-leak", "all that is for one hop is named",
      handshake + """
        > "GET / HTTP/1.1\\r\\nHost: im.example\\r\\nTE: gzip\\r\\nConnection: te, x-own\\r\\nX-Own: 1\\r\\n\\r\\n"
        < "\(ok)Keep-Alive: timeout=5\\r\\nConnection: Keep-Alive\\r\\n\\r\\n"
        """),
    .silent(
      "http/hop-by-hop-leak", "what is said to a proxy, and TE: trailers",
      handshake + """
        > "GET http://im.example/ HTTP/1.1\\r\\nHost: im.example\\r\\nTE: trailers\\r\\nProxy-Connection: keep-alive\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        """),
    .fires(
      "http/unexpected-1xx", "the client leaves at 103",
      handshake + get + """
        < "HTTP/1.1 103 Early Hints\\r\\nLink: </s.css>\\r\\n\\r\\n" ①
        > FIN ②
        < FIN
        """, at: [1, 2], .toClient, cost: .failed(.exchange)),
    .silent(
      "http/unexpected-1xx", "the client reads over 103",
      handshake + get + """
        < "HTTP/1.1 103 Early Hints\\r\\nLink: </s.css>\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        > FIN
        """),
    .silent(
      "http/unexpected-1xx", "the client waits for long, and only then leaves",
      handshake + get + """
        < "HTTP/1.1 103 Early Hints\\r\\nLink: </s.css>\\r\\n\\r\\n"
        +30s
        > FIN
        < FIN
        """),
  ]
}

import Events

/// What the fields of one capture tell of proxies.
enum ProxyFieldRows {
  private static let ok = #"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"#
  private static let stream = #"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"#
  private static let event = #"9\r\ndata: 1\n\n\r\n"#

  private static func get(_ fields: String = "", _ target: String = "/events", version: String = "1.1") -> String {
    #"> "GET \#(target) HTTP/\#(version)\r\nHost: im.example\r\n\#(fields)\r\n""#
  }

  static let rows: [RuleRow] = accel + via + page + edge + proxies

  private static let accel: [RuleRow] = [
    .fires(
      "proxy/x-accel-leaked", "No proxy was there to take it out.",
      handshake + get() + "\n" + #"< "\#(ok)X-Accel-Buffering: no\r\n\r\n" ①"# + "\n", at: [1], .toClient,
      says: "X-Accel-Buffering is meant for nginx"),
    .silent(
      "proxy/x-accel-leaked", "Between nginx and the server it is where it belongs.",
      handshake + get(#"X-Real-IP: 192.0.2.7\r\n"#) + "\n" + #"< "\#(ok)X-Accel-Buffering: no\r\n\r\n""# + "\n"),
    .silent(
      "proxy/x-accel-leaked", "nginx speaks HTTP/1.0 to the server behind it, and need not name itself.",
      handshake + get(version: "1.0") + "\n" + #"< "\#(ok)X-Accel-Buffering: no\r\n\r\n""# + "\n"),
    .silent(
      "proxy/x-accel-leaked", "A field of the same beginning.",
      handshake + get() + "\n" + #"< "\#(ok)X-Accelerated: yes\r\n\r\n""# + "\n"),
    .fires(
      "proxy/x-accel-buffering-missing", "Behind nginx, a stream does not say that it is one.",
      handshake + get(#"X-Real-IP: 192.0.2.7\r\n"#) + " ①\n" + #"< "\#(stream)\r\n\#(event)" ②"# + "\n", at: [1, 2],
      .toClient),
    .silent(
      "proxy/x-accel-buffering-missing", "It says so.",
      handshake + get(#"X-Real-IP: 192.0.2.7\r\n"#) + "\n"
        + #"< "\#(stream)X-Accel-Buffering: no\r\n\r\n\#(event)""# + "\n"),
    .silent(
      "proxy/x-accel-buffering-missing", "On the client's side nginx has taken the field out.",
      handshake + get() + "\n" + #"< "\#(stream)Server: nginx\r\n\r\n\#(event)""# + "\n"),
    .silent(
      "proxy/x-accel-buffering-missing", "No stream.",
      handshake + get(#"X-Real-IP: 192.0.2.7\r\n"#) + "\n" + #"< "\#(ok)\r\n""# + "\n"),
  ]

  private static let via: [RuleRow] = [
    .fires(
      "proxy/via-loop-or-11", "One of two hops speaks HTTP/1.0.",
      handshake + get(#"Via: 1.1 edge.example, 1.0 old.example\r\n"#) + " ①\n" + #"< "\#(ok)\r\n""# + "\n", at: [1],
      .toServer, says: "the proxy \"old.example\" received the request in HTTP/1.0"),
    .fires(
      "proxy/via-loop-or-11", "A proxy passes a request to itself.",
      handshake + get(#"Via: 1.1 a.example, 1.1 a.example, 1.1 a.example\r\n"#) + " ①\n" + #"< "\#(ok)\r\n""# + "\n",
      at: [1], .toServer, says: "passed the proxy \"a.example\" 3 times"),
    .fires(
      "proxy/via-loop-or-11", "The response of such a hop ends with the connection.",
      handshake + get() + "\n" + #"< "HTTP/1.1 200 OK\r\nVia: 1.0 old.example\r\n\r\nbody" ①"# + "\n< FIN\n> FIN\n",
      at: [1], .toClient, says: "received the response in HTTP/1.0"),
    .silent(
      "proxy/via-loop-or-11", "The response has a length: the hop changed nothing that shows.",
      handshake + get() + "\n" + #"< "\#(ok)Via: 1.0 old.example\r\n\r\n""# + "\n"),
    .silent(
      "proxy/via-loop-or-11", "Two proxies of a network have one name.",
      handshake + get() + "\n" + #"< "\#(ok)Via: 1.1 varnish, 1.1 varnish\r\n\r\n""# + "\n"),
    .silent(
      "proxy/via-loop-or-11", "HTTP/2 on the way.",
      handshake + get(#"Via: 2 edge.example, 1.1 old.example (1.0)\r\n"#) + "\n" + #"< "\#(ok)\r\n""# + "\n"),
  ]

  private static let accept = #"Accept: text/event-stream\r\n"#

  private static let page: [RuleRow] = [
    .fires(
      "proxy/504-body-as-stream", "The page of a proxy whose server does not answer.",
      handshake + get(accept) + " ①\n< ACK\n+3s\n"
        + #"< "HTTP/1.1 504 Gateway Time-out\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x" ②"# + "\n",
      at: [1, 2, 2], .toClient, cost: .failed(.exchange), says: "a page of HTML came in place of the stream, 3.002 s"),
    .silent(
      "proxy/504-body-as-stream", "The server's own answer is no page.",
      handshake + get(accept) + "\n"
        + #"< "HTTP/1.1 503 Busy\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}""# + "\n"),
    .silent(
      "proxy/504-body-as-stream", "A page was asked for.",
      handshake + get(#"Accept: text/html\r\n"#) + "\n"
        + #"< "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>x""# + "\n"),
  ]

  /// Five events at once after four seconds, right before the end.
  private static func held(_ field: String, _ markers: (String, String, String) = ("", "", "")) -> String {
    handshake + get(accept) + " \(markers.0)\n< ACK\n+100ms\n" + #"< "\#(stream)\#(field)\r\n" \#(markers.1)"#
      + "\n+4s\n"
      + #"< "\#(String(repeating: event, count: 5))0\r\n\r\n" \#(markers.2)"# + "\n> ACK\n"
  }

  private static let edge: [RuleRow] = [
    .fires(
      "proxy/sse-unsupported-edge", "Front Door passes all events on at the end.",
      held(#"X-Azure-Ref: 0abc\r\n"#, ("①", "②", "③")), at: [2, 1, 3, 3], .toClient,
      cost: .delay(nanoseconds: 4_103_000_000)),
    .silent("proxy/sse-unsupported-edge", "Another holder.", held(#"Server: nginx\r\n"#)),
    .silent(
      "proxy/sse-unsupported-edge", "Front Door passes them on one by one.",
      handshake + get(accept) + "\n" + #"< "\#(stream)X-Azure-Ref: 0abc\r\n\r\n""#
        + "\n"
        + String(repeating: #"+1s"# + "\n" + #"< "\#(event)""# + "\n> ACK\n", count: 5)),
  ]

  private static let proxies: [RuleRow] = [
    .fires(
      "proxy/mitm-in-path", "A whole URL is what a proxy is asked for, and servers take it, too; once is enough.",
      handshake + get("", "http://im.example/a") + " ①\n" + #"< "\#(ok)\r\n""# + "\n"
        + get("", "http://im.example/b") + "\n" + #"< "\#(ok)\r\n""# + "\n",
      at: [1], .toServer, confidence: .medium, says: "10.0.0.1 takes 10.0.0.2:80 for a proxy: it asks for a whole URL"),
    .fires(
      "proxy/mitm-in-path", "It wants to know who asks, as proxies alone do.",
      handshake + get("", "http://im.example/a") + " ①\n"
        + #"< "HTTP/1.1 407 Who\r\nContent-Length: 0\r\n\r\n" ②"# + "\n", at: [1, 2], .toServer, confidence: .high),
    .fires(
      "proxy/mitm-in-path", "A tunnel.",
      handshake + #"> "CONNECT im.example:443 HTTP/1.1\r\nHost: im.example:443\r\n\r\n" ①"# + "\n"
        + #"< "HTTP/1.1 200 OK\r\n\r\n" ②"# + "\n", at: [1, 2], .toServer, confidence: .high,
      says: "10.0.0.1 sends its requests to the proxy at 10.0.0.2:80"),
    .fires(
      "proxy/mitm-in-path", "A server does not know what a tunnel is.",
      handshake + #"> "CONNECT im.example:443 HTTP/1.1\r\nHost: im.example:443\r\n\r\n" ①"# + "\n"
        + #"< "HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n" ②"# + "\n", at: [1, 2], .toServer,
      confidence: .medium, says: "takes 10.0.0.2:80 for a proxy: it asks for a tunnel, and gets none"),
    .fires(
      "proxy/mitm-in-path", "Only a field says so.",
      handshake + get(#"Proxy-Connection: keep-alive\r\n"#) + " ①\n" + #"< "\#(ok)\r\n""# + "\n", at: [1], .toServer,
      confidence: .medium, says: "takes 10.0.0.2:80 for a proxy"),
    .silent("proxy/mitm-in-path", "A server is asked.", handshake + get() + "\n" + #"< "\#(ok)\r\n""# + "\n"),
    .silent(
      "proxy/mitm-in-path", "A proxy passes on a whole URL to the next one, and says so.",
      handshake + get(#"Via: 1.1 edge.example\r\n"#, "http://im.example/a") + "\n" + #"< "\#(ok)\r\n""# + "\n"),
    .fires(
      "http/desync-suspect", "The length ends the body before its last chunk: the rest reads as a request.",
      handshake
        + #"> "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n" ①"#
        + "\n"
        + #"< "\#(ok)\r\n""# + "\n" + #"< "\#(ok)\r\n""# + "\n",
      at: [1, 1], .toServer, says: "by its chunks the body is 13 B long on the wire, by its length 5 B"),
    .silent(
      "http/desync-suspect", "Both end at the same byte.",
      handshake
        + #"> "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 13\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n""#
        + "\n" + #"< "\#(ok)\r\n""# + "\n"),
    .silent(
      "http/desync-suspect", "Chunks alone.",
      handshake + #"> "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n""# + "\n"
        + #"< "\#(ok)\r\n""# + "\n"),
  ]
}

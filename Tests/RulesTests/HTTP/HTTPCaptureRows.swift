import Citation
import Events
import Support

extension HTTPExchangeRows {
  private static let ok = "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n"
  private static let host = "Host: im.example\\r\\n"

  /// A connection of its own, begun so many milliseconds after the first, with one request.
  private static func single(_ port: Int, at start: Int, _ request: String, _ rest: String) -> String {
    "== 10.0.0.1:\(port) 10.0.0.2:80 +\(start)ms\n" + handshake + "> \"\(request)\"\(rest)"
  }

  /// A cookie is set, and the next request comes a while later.
  private static func unsent(_ fields: String, again: String = "", after: String = "2s") -> String {
    handshake + """
      > "GET /a/b HTTP/1.1\\r\\n\(host)\\r\\n"
      < "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\nSet-Cookie: sid=1\\r\\n\\r\\n" ①
      +\(after)
      > "GET /a/c HTTP/1.1\\r\\n\(host)\(fields)\\r\\n" ②
      < "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\(again)\\r\\n"
      """
  }

  private static func answered(_ port: Int, at start: Int, _ marker: String = "") -> String {
    single(port, at: start, "GET /\(port) HTTP/1.1\\r\\n\(host)\\r\\n", " \(marker)\n< \"\(ok)\\r\\n\"\n< FIN\n> FIN\n")
  }

  /// Five requests on a path of 22 ms, each on a connection of its own.
  private static func far(every pause: Int) -> String {
    (0..<5).map {
      "== 10.0.0.1:4000\($0) 10.0.0.2:80 +\($0 * pause)ms\n> SYN\n+20ms\n< SYN ACK\n> ACK\n"
        + "> \"GET / HTTP/1.1\\r\\n\(host)\\r\\n\" \(["①", "②", "③", "④", "⑤"][$0])\n< \"\(ok)\\r\\n\"\n< FIN\n> FIN\n"
    }.joined()
  }

  private static func lost(_ request: String) -> String {
    single(40_000, at: 0, request, " ①\n< FIN ②\n> FIN\n")
  }

  private static let order = "POST /order HTTP/1.1\\r\\n\(host)Content-Length: 2\\r\\n\\r\\nhi"

  private static func chunks(_ body: String) -> String {
    "POST /order HTTP/1.1\\r\\n\(host)Transfer-Encoding: chunked\\r\\n\\r\\n"
      + "\(body.utf8.count)\\r\\n\(body)\\r\\n0\\r\\n\\r\\n"
  }

  /// A request over HTTP/2, with a body of two bytes.
  private static func called(_ port: Int, at start: Int, _ type: String, _ marker: String, _ rest: String) -> String {
    typealias S = HTTP2Script
    let fields = [(":method", "POST")] + S.asked.dropFirst() + [("content-type", type)]
    return "== 10.0.0.1:\(port) 10.0.0.2:80 +\(start)ms\n" + S.open
      + S.up(S.headers(1, fields, ends: false) + S.data(1, "hi", ends: true), marker) + rest
  }

  /// The server refuses, and the client comes back after `pause`, so many times.
  private static func refused(_ times: Int, after pause: String, _ field: String = "Retry-After: 2\\r\\n") -> String {
    let get = "> \"GET /limited HTTP/1.1\\r\\n\(host)\\r\\n\""
    let answer = "HTTP/1.1 429 Too Many Requests\\r\\nContent-Length: 0\\r\\n"
    var script = handshake + "\(get)\n< \"\(answer)\(field)\\r\\n\" ①\n"
    for time in 1...times {
      let mark = time == 1 ? " ②" : time == times ? " ③" : ""
      script += "+\(pause)\n\(get)\(mark)\n< \"\(answer)\(field)\\r\\n\"\n"
    }
    return script
  }

  /// The same request each second, and these answers; the first and the last refusal are marked.
  private static func limited(_ codes: [Int]) -> String {
    let (first, last) = (codes.firstIndex(of: 429), codes.lastIndex(of: 429))
    let answers = codes.enumerated().map { at, code in
      let mark = at == first ? " ①" : at == last ? " ②" : ""
      return
        "> \"GET /limited HTTP/1.1\\r\\n\(host)\\r\\n\"\n< \"HTTP/1.1 \(code) Word\\r\\nContent-Length: 0\\r\\n\\r\\n\"\(mark)\n+1s\n"
    }
    return handshake + answers.joined()
  }

  /// Places that redirect, or without a location answer, one after the other and again; the first request, its answer and
  /// the last for it are marked.
  private static func circle(
    _ places: [(path: String, location: String)], _ times: Int, _ fields: String = "", pause: String = "1ms"
  ) -> String {
    var script = handshake
    for time in 0..<times {
      for (at, place) in places.enumerated() {
        let mark = at > 0 ? "" : time == 0 ? " ①" : time == times - 1 ? " ③" : ""
        let answer = place.location.isEmpty ? "200 OK" : "302 Found\\r\\nLocation: \(place.location)"
        script += "> \"GET \(place.path) HTTP/1.1\\r\\nHost: a\\r\\n\(fields)\\r\\n\"\(mark)\n"
        script += "< \"HTTP/1.1 \(answer)\\r\\nContent-Length: 0\\r\\n\\r\\n\"\(mark == " ①" ? " ②" : "")\n+\(pause)\n"
      }
    }
    return script
  }

  /// A session of Engine.IO is opened, and each request that names it is refused so.
  private static func unknown(_ answers: String...) -> String {
    let get = "> \"GET /socket.io/?EIO=4&transport=polling"
    var script = handshake + "\(get) HTTP/1.1\\r\\n\(host)\\r\\n\"\n< \"\(ok)\\r\\n\"\n"
    for (place, body) in answers.enumerated() {
      let mark = place == answers.count - 1 ? "③" : place == 0 ? "①" : ""
      script += "\(get)&sid=Bk4xCv9 HTTP/1.1\\r\\n\(host)\\r\\n\" \(mark)\n"
      script += "< \"HTTP/1.1 400 Bad Request\\r\\nContent-Length: \(body.utf8.count)\\r\\n\\r\\n"
      script += body.replacing("\"", with: "\\\"") + "\" \(place == 0 ? "②" : "")\n"
    }
    return script
  }

  private static func upgrade(_ session: String, _ status: String, _ body: String = "") -> String {
    WebSocketRows.ask(line: "GET /socket.io/?EIO=4&transport=websocket\(session) HTTP/1.1")
      + "< \"HTTP/1.1 \(status)\\r\\nContent-Length: \(body.utf8.count)\\r\\n\\r\\n"
      + body.replacing("\"", with: "\\\"") + "\" ②\n"
  }

  private static let noSession = "{\"code\":1,\"message\":\"Session ID unknown\"}"

  /// The same of MCP.
  private static func expired(_ times: Int) -> String {
    let post = "POST /mcp HTTP/1.1\\r\\n\(host)Content-Length: 2\\r\\n"
    var script = handshake + "> \"\(post)\\r\\n{}\"\n< \"\(ok)Mcp-Session-Id: 5f1c\\r\\n\\r\\n\"\n"
    for time in 1...times {
      script += "> \"\(post)Mcp-Session-Id: 5f1c\\r\\n\\r\\n{}\" \(time == 1 ? "①" : time == times ? "③" : "")\n"
      script += "< \"HTTP/1.1 404 Not Found\\r\\nContent-Length: 0\\r\\n\\r\\n\" \(time == 1 ? "②" : "")\n"
    }
    return script
  }

  /// The same of its first transport.
  private static func strayed(_ times: Int) -> String {
    let post = "POST /messages/?session_id=5f1c HTTP/1.1\\r\\n\(host)Content-Length: 2\\r\\n"
    return handshake
      + (1...times).map { time in
        "> \"\(post)\\r\\n{}\" \(time == 1 ? "①" : time == times ? "③" : "")\n"
          + "< \"HTTP/1.1 404 Not Found\\r\\nContent-Length: 22\\r\\n\\r\\nCould not find session\" \(time == 1 ? "②" : "")\n"
      }.joined()
  }

  private static let events =
    "GET /e HTTP/1.1\\r\\n\(host)Accept: text/event-stream\\r\\nCache-Control: no-cache\\r\\nUser-Agent: Mozilla/5.0\\r\\n\\r\\n"

  /// A stream of a second, and requests that come while it is sent: when, and how long they wait.
  private static func beside(
    _ requests: (start: Int, wait: Int, marks: [String])..., stream: String = "+1s"
  ) -> String {
    let get = "> \"GET /a HTTP/1.1\\r\\n\(host)\\r\\n\""
    let stream =
      "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + "> \"GET /s HTTP/1.1\\r\\n\(host)\\r\\n\"\n"
      + "< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\none\\r\\n\" ①\n\(stream)\n"
      + "< \"0\\r\\n\\r\\n\" ②\n"
    return stream
      + requests.enumerated().map { number, request in
        "== 10.0.0.1:\(40_001 + number) 10.0.0.2:80 +\(request.start)ms\n" + handshake
          + "\(get) \(request.marks[0])\n+\(request.wait)ms\n< \"\(ok)\\r\\n\" \(request.marks[1])\n"
      }.joined()
  }

  private static let flowing = Array(repeating: "+200ms", count: 5).joined(separator: "\n< \"1\\r\\na\\r\\n\"\n")

  /// Another stream of the server.
  private static func stream(at start: Int, pauses: Int = 5, of pause: Int = 300) -> String {
    "== 10.0.0.1:40009 10.0.0.2:80 +\(start)ms\n" + handshake + "> \"GET /t HTTP/1.1\\r\\n\(host)\\r\\n\"\n"
      + "< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n\"\n"
      + String(repeating: "+\(pause)ms\n< \"1\\r\\na\\r\\n\"\n", count: pauses) + "< \"0\\r\\n\\r\\n\"\n"
  }

  /// An event stream of the server, and a client that asks it for something else and leaves after three seconds.
  private static let leftBesideStream =
    stream(at: 0, of: 800).replacing("chunked", with: "chunked\\r\\nContent-Type: text/event-stream")
    + "== 10.0.0.1:40002 10.0.0.2:80 +100ms\n" + handshake + "> \"GET /a HTTP/1.1\\r\\n\(host)\\r\\n\" ①\n"
    + "+3s\n> FIN ②\n"

  /// A short exchange with the server.
  private static func exchange(at start: Int) -> String {
    "== 10.0.0.1:40003 10.0.0.2:80 +\(start)ms\n" + handshake + "> \"GET /b HTTP/1.1\\r\\n\(host)\\r\\n\"\n"
      + "< \"\(ok)\\r\\n\"\n"
  }

  /// What only several exchanges or connections show.
  static let captures: [RuleRow] = [
    .fires(
      "http/unanswered-request", "The server only goes on with a stream.", leftBesideStream + exchange(at: 50),
      at: [1, 2], .toClient, severity: .warning, cost: .failed(.exchange), says: "the client left 3.001 s",
      fix: "none may be left"),
    .fires(
      "http/unanswered-request", "The server goes on with a stream, and answers another request.",
      leftBesideStream + exchange(at: 500), at: [1, 2], .toClient, severity: .warning, cost: .failed(.exchange),
      says: "the client left 3.001 s", fix: "find the request in its log"),
    .fires(
      "http/ttfb-slow", "The server only goes on with a stream.",
      leftBesideStream.replacing("+3s\n> FIN ②", with: "+3s\n< \"\(ok)\\r\\n\" ②"), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 2_999_000_000), says: "began 3.001 s", fix: "none may be left"),
    // The stream ends at 1,005 ms; a request is there 3 ms after its connection began.
    .fires(
      "http/one-at-a-time", "two requests are answered when a stream is over",
      beside((100, 905, ["③", "④"]), (200, 808, ["⑤", "⑥"])), at: [1, 2, 3, 4, 5, 6], .toClient,
      cost: .delay(nanoseconds: 906_000_000), says: "when GET /s → 200 on connection #1 was over"),
    .silent("http/one-at-a-time", "one request: it may have ended the stream", beside((100, 905, ["", ""]))),
    .silent(
      "http/one-at-a-time", "two long polls are answered by the same news",
      beside((100, 905, ["", ""]), (200, 808, ["", ""])).replacing("GET /a ", with: "GET /poll ")),
    .silent(
      "http/one-at-a-time", "a third one is answered meanwhile",
      beside((100, 905, ["", ""]), (200, 808, ["", ""]), (300, 5, ["", ""]))),
    .silent(
      "http/one-at-a-time", "they are answered a tenth of a second later",
      beside((100, 1_005, ["", ""]), (200, 908, ["", ""]))),
    .silent(
      "http/one-at-a-time", "they came shortly before its end",
      beside((700, 305, ["", ""]), (750, 258, ["", ""]))),
    .silent(
      "http/one-at-a-time", "a response of nine tenths of a second",
      beside((100, 805, ["", ""]), (200, 708, ["", ""]), stream: "+900ms")),
    .fires(
      "http/one-at-a-time", "another stream is sent beside it, and the server did not stand still",
      beside((100, 905, ["③", "④"]), (200, 808, ["⑤", "⑥"]), stream: flowing) + stream(at: 50), at: [1, 2, 3, 4, 5, 6],
      .toClient, cost: .delay(nanoseconds: 906_000_000), says: "when GET /s → 200 on connection #1 was over"),
    .fires(
      "http/one-at-a-time", "two streams end together",
      beside((100, 905, ["③", "④"]), (200, 808, ["⑤", "⑥"]), stream: flowing) + stream(at: 50, pauses: 4, of: 239),
      at: [1, 2, 3, 4, 5, 6], .toClient,
      cost: .delay(nanoseconds: 906_000_000), says: "when GET /s"),
    .silent(
      "http/one-at-a-time", "an event stream begins while they wait",
      beside((100, 905, ["", ""]), (200, 808, ["", ""]), stream: flowing)
        + stream(at: 250).replacing("chunked", with: "chunked\\r\\nContent-Type: text/event-stream")),
    .silent(
      "http/one-at-a-time", "another stream is sent beside it, and the server stood still",
      beside((100, 905, ["", ""]), (200, 808, ["", ""]))
        + "== 10.0.0.1:40009 10.0.0.2:80 +50ms\n" + handshake + "> \"GET /t HTTP/1.1\\r\\n\(host)\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nh\"\n+500ms\n< \"i\"\n"),
    .fires(
      "http/retried-request", "a POST without an answer is sent again",
      lost(order) + single(40_001, at: 50, order, " ③\n< \"\(ok)\\r\\n\"\n"),
      at: [1, 2, 3], .toServer, severity: .error, cost: .delay(nanoseconds: 50_000_000), says: "twice"),
    .silent(
      "http/retried-request", "another program asks for the same",
      lost(order)
        + single(
          40_001, at: 50, order.replacing("Content-Length", with: "User-Agent: ab\\r\\nContent-Length"),
          "\n< \"\(ok)\\r\\n\"\n")),
    .silent(
      "http/retried-request", "the same request three seconds later",
      lost(order) + single(40_001, at: 3_000, order, "\n< \"\(ok)\\r\\n\"\n")),
    .silent(
      "http/retried-request", "the file holds the answer before its request",
      "== 10.0.0.1:40000 10.0.0.2:80\n\(handshake)< \"\(ok)\\r\\n\"\n> \"\(order)\" now\n< FIN\n> FIN\n"
        + single(40_001, at: 50, order, "\n< \"\(ok)\\r\\n\"\n")),
    .silent(
      "http/retried-request", "a request of another length",
      lost(order)
        + single(
          40_001, at: 50, "POST /order HTTP/1.1\\r\\n\(host)Content-Length: 3\\r\\n\\r\\nhey", "\n< \"\(ok)\\r\\n\"\n")),
    .fires(
      "http/retried-request", "the same in chunks", lost(chunks("hi")) + single(40_001, at: 50, chunks("hi"), " ③\n"),
      at: [1, 2, 3], .toServer, severity: .error, cost: .delay(nanoseconds: 50_000_000)),
    .silent(
      "http/retried-request", "a page is left, and the next one opens its EventSource",
      single(40_000, at: 0, events, "\n+1s\n> FIN\n< FIN\n") + single(40_001, at: 1_100, events, "\n")),
    .fires(
      "http/retried-request", "the server closes without an answer, and the EventSource asks again",
      single(40_000, at: 0, events, " ①\n+1s\n< FIN ②\n> FIN\n") + single(40_001, at: 1_100, events, " ③\n"),
      at: [1, 2, 3], .toServer, severity: .warning, cost: .delay(nanoseconds: 1_100_000_000)),
    .silent(
      "http/retried-request", "another one in chunks", lost(chunks("hi")) + single(40_001, at: 50, chunks("hey"), "\n")),
    .silent(
      "http/retried-request", "more was sent of the first one than the second has",
      lost(chunks("hello").replacing("0\\r\\n\\r\\n", with: "")) + single(40_001, at: 50, order, "\n")),
    .silent(
      "http/retried-request", "one of many: the client sends the same each second",
      single(39_999, at: 0, order, "\n< \"\(ok)\\r\\n\"\n< FIN\n> FIN\n")
        + single(40_000, at: 1_000, order, "\n< FIN\n> FIN\n")
        + single(40_001, at: 2_000, order, "\n< \"\(ok)\\r\\n\"\n")),
    .silent(
      "http/retried-request", "the first one met a connection that was being closed: nothing was carried out",
      single(40_000, at: 0, order, "\n< \"\(ok)\\r\\n\"\n+2s\n< FIN\n> \"\(order)\"\n< RST\n")
        + single(40_001, at: 2_050, order, "\n< \"\(ok)\\r\\n\"\n")),
    .fires(
      "http/retried-request", "a POST over HTTP/2 is given up, and sent again",
      called(40_000, at: 0, "application/json", " ①", "+1s\n> FIN ②\n< FIN\n")
        + called(40_001, at: 1_010, "application/json", " ③", ""), at: [1, 2, 3], .toServer, severity: .error,
      cost: .delay(nanoseconds: 1_010_000_000)),
    .silent(
      "http/retried-request", "a call of gRPC is given up, and made again: its deadline has a rule",
      called(40_000, at: 0, "application/grpc", "", "+1s\n> FIN\n< FIN\n")
        + called(40_001, at: 1_010, "application/grpc", "", "")),
    .silent(
      "http/retried-request", "the first one was answered",
      single(40_000, at: 0, order, "\n< \"\(ok)\\r\\n\"\n< FIN\n> FIN\n")
        + single(40_001, at: 50, order, "\n< \"\(ok)\\r\\n\"\n")),
    .fires(
      "http/retry-after-ignored", "a client that repeats at once", refused(4, after: "100ms"), at: [1, 2, 3], .toServer,
      confidence: .medium, cost: .failed(.exchange),
      says: "repeated the request 4 times before the time in Retry-After was over, first 0.10"
    ),
    .silent("http/retry-after-ignored", "a client that waits", refused(4, after: "2s")),
    .fires(
      "http/rate-limited", "six of nine requests", limited([200, 429, 429, 200, 429, 429, 429, 200, 429, 200]),
      at: [1, 2], .toClient, cost: .failed(.exchange), count: 6,
      says: "6 of 9 requests to this endpoint were refused because of a limit (429), over 7.0"),
    .silent("http/rate-limited", "four of five", limited([429, 429, 200, 429, 429])),
    .silent(
      "http/rate-limited", "five of thirty",
      limited([429, 429, 429, 429, 429] + [Int](repeating: 200, count: 25))),
    .silent("http/rate-limited", "a client that does not wait has a rule", refused(6, after: "100ms")),
    .silent("http/rate-limited", "no limit but a server that fails", limited([Int](repeating: 503, count: 8))),
    .fires(
      "http/rate-limited", "several clients, each of which comes once: none of them came back too soon",
      (0..<6).map {
        single(
          40_000 + $0, at: $0 * 100, "GET /limited HTTP/1.1\\r\\n\(host)\\r\\n",
          "\n< \"HTTP/1.1 429 Too Many Requests\\r\\nRetry-After: 2\\r\\nContent-Length: 0\\r\\n\\r\\n\" \($0 == 0 ? "①" : $0 == 5 ? "②" : "")\n"
        )
        .replacing("10.0.0.1", with: "10.0.0.\(10 + $0)")
      }.joined(), at: [1, 2], .toClient, cost: .failed(.exchange), count: 6),
    .fires(
      "http/redirect-loop", "two pages send the client to each other",
      circle([("/login", "/account"), ("/account", "/login")], 4), at: [1, 2, 3], .toClient, cost: .failed(.exchange),
      says: "in a circle, by GET /account → 302, and back, 4 times in"),
    .fires(
      "http/redirect-loop", "behind a proxy that ends TLS, a page sends it to itself, by https",
      circle([("/a?b=1", "https://a/a?b=1")], 6, "X-Forwarded-For: 10.0.0.9\\r\\n"), at: [1, 2, 3], .toClient,
      cost: .failed(.exchange), says: "in a circle, to the same place with https, 6 times in"),
    .silent("http/redirect-loop", "two rounds", circle([("/login", "/account"), ("/account", "/login")], 2)),
    .silent("http/redirect-loop", "what it is sent to answers", circle([("/latest", "/v1")], 8)),
    .silent(
      "http/redirect-loop", "a health check, which does not follow to https", circle([("/a", "https://a/a")], 12)),
    .silent(
      "http/redirect-loop", "the same through a proxy, four times",
      circle([("/a", "https://a/a")], 4, "X-Forwarded-For: 10.0.0.9\\r\\n")),
    .silent("http/redirect-loop", "another host", circle([("/a", "http://b/a")], 8)),
    .silent(
      "http/redirect-loop", "each sign-in has a state of its own",
      circle((0..<5).flatMap { [("/app", "/auth?s=\($0)"), ("/auth?s=\($0)", "/app")] }, 1)),
    .silent(
      "http/redirect-loop", "each visit without a cookie is sent to the same place once, and answered",
      circle([("/a", "/a"), ("/a", "")], 6)),
    .silent(
      "http/redirect-loop", "now and then", circle([("/a", "/b"), ("/b", "/a")], 5, pause: "3s")),
    .fires(
      "http/session-unknown", "a session of Socket.IO that another process opened", unknown(noSession, noSession),
      at: [1, 2, 3], .toClient, confidence: .high, cost: .failed(.exchange),
      says: "refused 2 requests because it does not know the Socket.IO session"),
    .fires(
      "http/session-unknown", "the same, of a server in Python",
      unknown("\"Invalid session Bk4xCv9\"", "\"Invalid session Bk4xCv9\"", "\"Invalid session Bk4xCv9\""),
      at: [1, 2, 3],
      .toClient, cost: .failed(.exchange), says: "refused 3 requests"),
    .fires(
      "http/session-unknown", "a client of MCP goes on with an old session", expired(2), at: [1, 2, 3], .toClient,
      cost: .failed(.exchange), says: "the MCP session"),
    .fires(
      "http/session-unknown", "the session of an event stream of MCP is in another process", strayed(2), at: [1, 2, 3],
      .toClient, cost: .failed(.exchange), says: "the MCP session"),
    .fires(
      "http/session-unknown", "the upgrade of a session that polls comes to another process",
      unknown() + upgrade("&sid=Bk4xCv9", "400 Bad Request", noSession), at: [1, 2, 1], .toClient,
      cost: .failed(.exchange), says: "refused 1 request because"),
    .silent(
      "ws/hs-refused-400", "It does not know the session: that is told.",
      unknown() + upgrade("&sid=Bk4xCv9", "400 Bad Request", noSession)),
    .silent(
      "http/session-unknown", "a proxy removed Upgrade, so that the server sees no request for WebSocket",
      unknown() + upgrade("&sid=Bk4xCv9", "400 Bad Request", "{\"code\":3,\"message\":\"Bad request\"}")),
    .silent("http/session-unknown", "many reasons have a 403", unknown() + upgrade("&sid=Bk4xCv9", "403 Forbidden")),
    .silent("http/session-unknown", "one message of it is late", strayed(1)),
    .silent("http/session-unknown", "one request is late for its session", unknown(noSession)),
    .silent("http/session-unknown", "a client of MCP learns it once", expired(1)),
    .silent(
      "http/session-unknown", "polls that a server releases when their session ends",
      unknown("\"OPEN packet expected\"", "\"OPEN packet expected\"")),
    .fires(
      "http/close-per-request", "five requests, five connections",
      answered(40_001, at: 0, "①") + answered(40_002, at: 100, "②") + answered(40_003, at: 200, "③")
        + answered(40_004, at: 300, "④") + answered(40_005, at: 400, "⑤"),
      at: [1, 2, 3, 4, 5], .toClient, count: 5, says: "4 handshakes"),
    .fires(
      "http/close-per-request", "the client waits for the handshakes", far(every: 500), at: [1, 2, 3, 4, 5], .toClient,
      cost: .delay(nanoseconds: 88_000_000), count: 5, says: "88.0 ms in all"),
    .fires(
      "http/close-per-request", "a probe each 10 s", far(every: 10_000), at: [1, 2, 3, 4, 5], .toClient, count: 5),
    .silent(
      "http/close-per-request", "five connections side by side",
      (40_001...40_005).map { answered($0, at: 0) }.joined()),
    .silent(
      "http/close-per-request", "one of the connections is used again",
      (40_001...40_005).map { answered($0, at: ($0 - 40_001) * 100) }.joined()
        + single(40_006, at: 600, "GET / HTTP/1.1\\r\\n\(host)\\r\\n", "\n< \"\(ok)\\r\\n\"\n")
        + "> \"GET / HTTP/1.1\\r\\n\(host)\\r\\n\"\n< \"\(ok)\\r\\n\"\n"),
    .fires(
      "http/keepalive-shorter-than-proxy", "a server closes on its proxy after five seconds, twice",
      pooled(40_001, at: 0, "①", "②", via: true) + pooled(40_002, at: 100, "③", "④", via: true),
      at: [1, 2, 3, 4], .toClient, count: 2, says: "5.001 s"),
    .silent(
      "http/keepalive-shorter-than-proxy", "the client is no proxy",
      pooled(40_001, at: 0, "", "", via: false) + pooled(40_002, at: 100, "", "", via: false)),
    .fires(
      "http/sibling-difference", "an address instead of a name in Host",
      handshake + """
        > "GET /items/1 HTTP/1.1\\r\\nHost: 10.0.0.2\\r\\nAccept: */*\\r\\n\\r\\n" ①
        < "HTTP/1.1 404 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        > "GET /items/22 HTTP/1.1\\r\\nHost: shop.example\\r\\nAccept: */*\\r\\n\\r\\n" ②
        < "\(ok)\\r\\n"
        """, at: [1, 2], .toServer, says: "Host: \"10.0.0.2\" instead of \"shop.example\""),
    .fires(
      "http/sibling-difference", "a letter's case, and a secret that is not told",
      handshake + """
        > "GET / HTTP/1.1\\r\\n\(host)Accept: text/plain\\r\\nAuthorization: Basic Zm9v\\r\\n\\r\\n" ②
        < "\(ok)\\r\\n"
        > "GET / HTTP/1.1\\r\\n\(host)Accept: Text/plain\\r\\nAuthorization: Basic YmFy\\r\\n\\r\\n" ①
        < "HTTP/1.1 406 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        > "GET / HTTP/1.1\\r\\n\(host)Accept: text/plain\\r\\nAuthorization: Basic Zm9v\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        """, at: [1, 2], .toServer,
      says: "smallest first: Accept: \"Text/plain\" instead of \"text/plain\"; another value of Authorization."),
    .silent(
      "http/sibling-difference", "a range that cannot be: the status says what is wrong",
      handshake + """
        > "GET /items/1 HTTP/1.1\\r\\n\(host)Range: bytes=9-\\r\\n\\r\\n"
        < "HTTP/1.1 416 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        > "GET /items/1 HTTP/1.1\\r\\n\(host)Accept: */*\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        """),
    .silent(
      "http/sibling-difference", "what is asked for is locked by another client",
      handshake + """
        > "PUT /items/1 HTTP/1.1\\r\\n\(host)Content-Length: 0\\r\\n\\r\\n"
        < "HTTP/1.1 423 Locked\\r\\nContent-Length: 0\\r\\n\\r\\n"
        > "PUT /items/1 HTTP/1.1\\r\\n\(host)Content-Length: 0\\r\\nIf: (<opaquelocktoken:1>)\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        """),
    .silent(
      "http/sibling-difference", "the same request, and only its number and its id differ",
      handshake + """
        > "GET /items/1 HTTP/1.1\\r\\n\(host)X-Request-Id: 1\\r\\n\\r\\n"
        < "HTTP/1.1 404 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        > "GET /items/2 HTTP/1.1\\r\\n\(host)X-Request-Id: 2\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        """),
    .silent(
      "http/sibling-difference", "another path",
      handshake + """
        > "GET /carts/1 HTTP/1.1\\r\\n\(host)\\r\\n"
        < "HTTP/1.1 404 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        > "GET /items/2 HTTP/1.1\\r\\n\(host)Accept: */*\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        """),
    .fires(
      "http/cookie-lost", "signed out, because the cookie was not sent",
      cookies("Cookie: sid=s3cret\\r\\n", "", "401 No", ("①", "②", "③")), at: [1, 2, 3], .toServer,
      severity: .error, cost: .failed(.exchange), says: "the cookie sid"),
    .fires(
      "http/cookie-lost", "no cookie, and no harm",
      cookies("Cookie: sid=s3cret\\r\\n", "", "200 OK", ("①", "②", "")), at: [1, 2], .toServer),
    .silent(
      "http/cookie-lost", "the server took the cookie back",
      cookies("Cookie: sid=1\\r\\n", "", "401 No", set: "Set-Cookie: sid=; Max-Age=0\\r\\n")),
    .silent(
      "http/cookie-lost", "a request from another site",
      cookies("Cookie: sid=1\\r\\n", "Origin: http://other.example\\r\\n", "403 No")),
    .silent(
      "http/cookie-lost", "another client behind the same address",
      cookies("Cookie: sid=1\\r\\nUser-Agent: a\\r\\n", "User-Agent: b\\r\\n", "401 No")),
    .silent(
      "http/cookie-lost", "a cookie of another path",
      handshake + """
        > "GET /a/b HTTP/1.1\\r\\n\(host)Cookie: sid=1\\r\\n\\r\\n"
        < "\(ok)\\r\\n"
        > "GET /c HTTP/1.1\\r\\n\(host)\\r\\n"
        < "HTTP/1.1 401 No\\r\\nContent-Length: 0\\r\\n\\r\\n"
        """),
    .fires(
      "http/cookie-lost", "the server sets the cookie a second time, for it was not sent back",
      unsent("", again: "Set-Cookie: sid=2\\r\\n"), at: [1, 2], .toServer, severity: .note, confidence: .low,
      says: "and the server sets it again"),
    .fires(
      "http/cookie-lost", "another cookie is sent, and this one is not", unsent("Cookie: theme=1\\r\\n"), at: [1, 2],
      .toServer, severity: .note, confidence: .low, says: "though it sends others"),
    .silent(
      "http/cookie-lost", "the client sends it back, and the server renews it",
      unsent("Cookie: sid=1\\r\\n", again: "Set-Cookie: sid=2\\r\\n")),
    .silent(
      "http/cookie-lost", "the next request leaves before the cookie is in use",
      unsent("Cookie: theme=1\\r\\n", after: "100ms")),
    .silent(
      "http/cookie-lost", "a client without a jar, which is not refused",
      cookies("", "", "200 OK", set: "Set-Cookie: sid=1\\r\\n")),
    .fires(
      "http/redirect-drops-body", "a slash is added, and the POST becomes a GET",
      redirected("302", "/order/", "GET /order/ HTTP/1.1\\r\\n\(host)\\r\\n", "200"), at: [1, 2, 3], .toServer,
      cost: .lost(bytes: 2)),
    .silent(
      "http/redirect-drops-body", "a form is taken, and its own page is shown again",
      redirected("302", "/order/", "GET /order/ HTTP/1.1\\r\\n\(host)\\r\\n", "200").replacing(
        "POST /order HTTP/1.1\\r\\n",
        with: "POST /order HTTP/1.1\\r\\nContent-Type: application/x-www-form-urlencoded\\r\\n")),
    .fires(
      "http/redirect-drops-body", "the GET is not allowed",
      redirected("303", "/orders", "GET /orders HTTP/1.1\\r\\n\(host)\\r\\n", "405"), at: [1, 2, 3], .toServer,
      cost: .failed(.exchange)),
    .silent(
      "http/redirect-drops-body", "a form was taken, and a page is shown",
      redirected("302", "/thanks", "GET /thanks HTTP/1.1\\r\\n\(host)\\r\\n", "200")),
    .silent(
      "http/redirect-drops-body", "307 keeps method and body",
      redirected(
        "307", "/order/", "POST /order/ HTTP/1.1\\r\\n\(host)Content-Length: 2\\r\\n\\r\\nhi", "200")),
    .fires(
      "http/upload-buffered", "the proxy sends on when the upload is over",
      buffered(behindAt: 1_100), at: [1, 2, 3], .toServer, cost: .delay(nanoseconds: 1_099_000_000)),
    .silent(
      "http/upload-buffered", "the proxy opens its request while the upload goes on",
      buffered(behindAt: 500)),
  ]

  private static func pooled(_ port: Int, at start: Int, _ last: String, _ fin: String, via: Bool) -> String {
    let request = "GET / HTTP/1.1\\r\\n\(host)\(via ? "Via: 1.1 edge\\r\\n" : "")\\r\\n"
    return single(port, at: start, request, "\n< \"\(ok)\\r\\n\"\n> \"\(request)\"\n")
      + "< \"\(ok)\\r\\n\" \(last)\n+5s\n< FIN \(fin)\n> FIN\n"
  }

  private static func cookies(
    _ first: String, _ second: String, _ status: String, set: String = "",
    _ markers: (String, String, String) = ("", "", "")
  ) -> String {
    handshake + """
      > "GET /a HTTP/1.1\\r\\n\(host)\(first)\\r\\n" \(markers.0)
      < "\(ok)\(set)\\r\\n"
      > "GET /a HTTP/1.1\\r\\n\(host)\(second)\\r\\n" \(markers.1)
      < "HTTP/1.1 \(status)\\r\\nContent-Length: 0\\r\\n\\r\\n" \(markers.2)
      """
  }

  private static func redirected(_ status: String, _ location: String, _ next: String, _ answer: String) -> String {
    handshake + """
      > "\(order)" ①
      < "HTTP/1.1 \(status) Go\\r\\nLocation: \(location)\\r\\nContent-Length: 0\\r\\n\\r\\n" ②
      > "\(next)" ③
      < "HTTP/1.1 \(answer) X\\r\\nContent-Length: 0\\r\\n\\r\\n"
      """
  }

  private static func buffered(behindAt start: Int) -> String {
    """
    == 10.0.0.1:40000 10.0.0.2:80
    \(handshake)> "POST /up HTTP/1.1\\r\\n\(host)Transfer-Encoding: chunked\\r\\n\\r\\n"
    > "2\\r\\nhi\\r\\n" ①
    +1s
    > "2\\r\\nho\\r\\n" ②
    > "0\\r\\n\\r\\n"
    +200ms
    < "\(ok)\\r\\n"
    == 10.0.0.2:50000 10.0.0.3:8080 +\(start)ms
    \(handshake)> "POST /up HTTP/1.1\\r\\n\(host)Content-Length: 4\\r\\n\\r\\nhiho" ③
    < "\(ok)\\r\\n"
    """
  }
}

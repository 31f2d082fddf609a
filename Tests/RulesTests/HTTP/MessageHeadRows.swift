import Events

/// Heads: lines, names, values, hosts, targets, sizes.
enum MessageHeadRows {
  private static let fine = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\""
  private static let bad = "< \"HTTP/1.1 400 Bad Request\\r\\nContent-Length: 2\\r\\n\\r\\nno\""
  private static let bye = "\n> ACK\n< FIN\n> FIN\n< ACK\n"
  private static let usual = "GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n"

  /// A request answered with 400.
  private static func refused(_ request: String) -> String {
    handshake + "> \"\(request)\" ①\n\(bad) ②" + bye
  }

  /// A request answered with 200.
  private static func answered(_ request: String) -> String {
    handshake + "> \"\(request)\" ①\n\(fine) ②" + bye
  }

  /// A request of an agent that names itself before the host.
  private static func agent(_ ends: String, _ marker: String = "") -> String {
    "== \(ends)\n" + handshake
      + "> \"GET /a HTTP/1.1\\r\\nUser-Agent: tester/1\\r\\nHost: a\\r\\n\\r\\n\" \(marker)\n\(fine)" + bye
  }

  /// A response to a usual request.
  private static func response(_ response: String) -> String {
    handshake + "> \"\(usual)\\r\\n\" ①\n< \"\(response)\" ②" + bye
  }

  static let rows: [RuleRow] = lines + names + values + lengths + startLines + repeated + hosts + targets + sizes

  private static let lines: [RuleRow] = [
    .fires(
      "http/bare-lf-line", "A request whose lines end with LF is refused.",
      refused("GET /a HTTP/1.1\\nHost: a.example\\n\\n"), at: [1, 2], .toServer, confidence: .medium,
      cost: .failed(.exchange), count: 3),
    .fires(
      "http/bare-lf-line", "One line of a response.", response("HTTP/1.1 200 OK\\nContent-Length: 2\\r\\n\\r\\nok"),
      at: [2], .toClient, says: "in what the server sent, a line of the head ends with LF alone"),
    .fires(
      "http/bare-lf-line", "The method is refused, not the line ends.",
      handshake
        + "> \"TRACE /a HTTP/1.1\\nHost: a\\n\\n\" ①\n< \"HTTP/1.1 405 Method Not Allowed\\r\\nContent-Length: 0\\r\\n\\r\\n\""
        + bye,
      at: [1], .toServer, count: 3),
    .silent(
      "http/bare-lf-line", "A body of such lines.",
      response("HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\na\\nb\\n")),
    .fires(
      "http/bare-cr", "A CR inside a value.", answered("\(usual)X-A: one\\rX-B: two\\r\\n\\r\\n"), at: [1], .toServer),
    .silent(
      "http/bare-cr", "A CR in the body.", response("HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\na\\rb\\r")),
    .fires(
      "http/obs-fold", "A value goes on in the next line.", refused("\(usual)X-A: one\\r\\n two\\r\\n\\r\\n"),
      at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange)),
    .silent("http/obs-fold", "Blanks around a value.", answered("\(usual)X-A:   one \\t \\r\\n\\r\\n")),
    .fires(
      "http/space-before-colon", "A blank behind the name.", refused("\(usual)X-A : one\\r\\n\\r\\n"), at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange)),
    .silent("http/space-before-colon", "A blank behind the colon.", answered("\(usual)X-A: : one\\r\\n\\r\\n")),
    .fires(
      "http/ws-before-first-field", "The first field is indented.",
      answered("GET /a HTTP/1.1\\r\\n X-A: one\\r\\nHost: a\\r\\n\\r\\n"), at: [1], .toServer),
    .silent(
      "http/ws-before-first-field", "A later line is indented: it is folded.",
      answered("\(usual) two\\r\\n\\r\\n")),
  ]

  private static let names: [RuleRow] = [
    .fires(
      "http/name-invalid-char", "A name with brackets.", refused("\(usual)X(A): one\\r\\n\\r\\n"), at: [1, 2],
      .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .fires(
      "http/name-invalid-char", "A line without a colon.",
      response("HTTP/1.1 200 OK\\r\\nnonsense\\r\\nContent-Length: 2\\r\\n\\r\\nok"), at: [2], .toClient),
    .silent(
      "http/name-invalid-char", "All marks that a name may have.", answered("\(usual)!#$%&'*+-.^_`|~: one\\r\\n\\r\\n")),
    .fires(
      "http/name-underscore", "Two requests of a connection have one.",
      handshake + "> \"\(usual)X_A: one\\r\\n\\r\\n\" ①\n\(fine)\n> \"\(usual)X_A: one\\r\\n\\r\\n\"\n\(fine)" + bye,
      at: [1],
      .toServer, count: 2, says: "the field name X_A has an underscore"),
    .silent("http/name-underscore", "An underscore in a value.", answered("\(usual)X-A: one_two\\r\\n\\r\\n")),
  ]

  private static let values: [RuleRow] = [
    .fires(
      "http/value-ctl", "NUL in a value.", refused("\(usual)X-A: one\\0two\\r\\n\\r\\n"), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent("http/value-ctl", "A tab in a value.", answered("\(usual)X-A: one\\ttwo\\r\\n\\r\\n")),
    .fires(
      "http/value-non-ascii", "A name of a file in UTF-8.",
      response(
        "HTTP/1.1 200 OK\\r\\nContent-Disposition: attachment; filename=Größe.txt\\r\\nContent-Length: 2\\r\\n\\r\\nok"),
      at: [2], .toClient, says: "they are valid UTF-8"),
    .fires(
      "http/value-non-ascii", "Latin-1, and refused.", refused("\(usual)X-A: Gr\\xf6\\xdfe\\r\\n\\r\\n"), at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange), says: "no UTF-8, perhaps Latin-1"),
    .silent(
      "http/value-non-ascii", "The encoded form.",
      response(
        "HTTP/1.1 200 OK\\r\\nContent-Disposition: attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt\\r\\nContent-Length: 2\\r\\n\\r\\nok"
      )),
  ]

  private static let lengths: [RuleRow] = [
    .fires(
      "http/cl-invalid", "A sign before the number.",
      refused("POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: +2\\r\\n\\r\\nok"), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .fires(
      "http/cl-invalid", "Two numbers.",
      response("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nContent-Length: 3\\r\\n\\r\\nok"), at: [2], .toClient),
    .silent(
      "http/cl-invalid", "Zeros before the number.", response("HTTP/1.1 200 OK\\r\\nContent-Length: 002\\r\\n\\r\\nok")),
    .fires(
      "http/cl-duplicate-equal", "The same number twice.",
      response("HTTP/1.1 200 OK\\r\\nContent-Length: 2, 2\\r\\n\\r\\nok"), at: [2], .toClient),
    .silent(
      "http/cl-duplicate-equal", "Two numbers that differ.",
      response("HTTP/1.1 200 OK\\r\\nContent-Length: 2, 3\\r\\n\\r\\nok")),
    .fires(
      "http/cl-on-1xx-204", "204 of length zero.",
      response("HTTP/1.1 204 No Content\\r\\nContent-Length: 0\\r\\n\\r\\n"),
      at: [2], .toClient),
    .silent(
      "http/cl-on-1xx-204", "304 may have one.",
      response("HTTP/1.1 304 Not Modified\\r\\nContent-Length: 9\\r\\n\\r\\n")),
  ]

  private static let startLines: [RuleRow] = [
    .fires(
      "http/version-unusual", "A version that is none.", refused("GET /a HTTP/1.2\\r\\nHost: a\\r\\n\\r\\n"),
      at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange)),
    .silent("http/version-unusual", "The version before.", answered("GET /a HTTP/1.0\\r\\n\\r\\n")),
    .fires(
      "http/status-line-bad", "No space behind the status.",
      response("HTTP/1.1 200\\r\\nContent-Length: 2\\r\\n\\r\\nok"),
      at: [2], .toClient),
    .fires(
      "http/status-line-bad", "Four digits.", response("HTTP/1.1 2000 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok"),
      at: [2],
      .toClient),
    .fires(
      "http/status-line-bad", "Two spaces before the status.",
      response("HTTP/1.1  200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok"), at: [2], .toClient),
    .silent("http/status-line-bad", "No reason.", response("HTTP/1.1 200 \\r\\nContent-Length: 2\\r\\n\\r\\nok")),
  ]

  private static let repeated: [RuleRow] = [
    .fires(
      "http/duplicate-singleton", "Two hosts are refused.", refused("\(usual)Host: b.example\\r\\n\\r\\n"),
      at: [1, 1, 2],
      .toServer, severity: .error, cost: .failed(.exchange), says: "Host occurs more than once, with different values"
    ),
    .fires(
      "http/duplicate-singleton", "Proxy and application both allow the origin.",
      response(
        "HTTP/1.1 200 OK\\r\\nAccess-Control-Allow-Origin: *\\r\\nContent-Length: 2\\r\\nAccess-Control-Allow-Origin: *\\r\\n\\r\\nok"
      ), at: [2, 2], .toClient, says: "with equal values"),
    .silent(
      "http/duplicate-singleton", "Fields that may be repeated.",
      response(
        "HTTP/1.1 200 OK\\r\\nSet-Cookie: a=1\\r\\nSet-Cookie: b=2\\r\\nVary: a\\r\\nVary: b\\r\\nContent-Length: 2\\r\\n\\r\\nok"
      )),
  ]

  private static let hosts: [RuleRow] = [
    .fires(
      "http/host-missing", "None.", refused("GET /a HTTP/1.1\\r\\nAccept: */*\\r\\n\\r\\n"), at: [1, 2], .toServer,
      cost: .failed(.exchange), says: "GET /a → 400: the request has no Host field."),
    .fires(
      "http/host-missing", "Two.", answered("\(usual)Host: b.example\\r\\n\\r\\n"), at: [1, 1], .toServer,
      says: "has 2 Host fields"),
    .fires(
      "http/host-missing", "A host with a path.", answered("GET /a HTTP/1.1\\r\\nHost: a.example/b\\r\\n\\r\\n"),
      at: [1],
      .toServer, says: "has \"/\" in it"),
    .silent("http/host-missing", "The version before needs none.", answered("GET /a HTTP/1.0\\r\\n\\r\\n")),
    .silent("http/host-missing", "An empty one is there.", answered("GET /a HTTP/1.1\\r\\nHost: \\r\\n\\r\\n")),
    .silent(
      "http/host-missing", "The head is not all there.",
      handshake + "> \"GET /a HTTP/1.1\\r\\nAccept: */*\\r\\n\"\n> FIN\n"),
    .silent(
      "http/host-missing", "An address with a port.",
      answered("GET /a HTTP/1.1\\r\\nHost: [2001:db8::1]:80\\r\\n\\r\\n")),
    .fires(
      "http/host-not-first", "Another field stands before it, in two requests.",
      handshake + "> \"GET /a HTTP/1.1\\r\\nAccept: */*\\r\\nHost: a\\r\\n\\r\\n\" ①\n\(fine)\n"
        + "> \"GET /a HTTP/1.1\\r\\nAccept: */*\\r\\nHost: a\\r\\n\\r\\n\"\n\(fine)" + bye, at: [1, 1], .toServer,
      count: 2,
      says: "Accept stands before Host"),
    .fires(
      "http/host-not-first", "One agent on two connections: told once.",
      agent("10.0.0.1:5000 10.0.0.2:80", "①") + agent("10.0.0.1:5001 10.0.0.3:80"), at: [1, 1], .toServer,
      count: 2, says: "User-Agent stands before Host"),
    .silent("http/host-not-first", "It comes first.", answered("\(usual)Accept: */*\\r\\n\\r\\n")),
    .silent(
      "http/host-not-first", "A line without a colon comes first: no field, and it may be a secret.",
      refused("GET /a HTTP/1.1\\r\\nCookie sid=secret\\r\\nHost: a\\r\\n\\r\\n")),
    .silent("http/host-not-first", "There is none.", answered("GET /a HTTP/1.1\\r\\nAccept: */*\\r\\n\\r\\n")),
    .fires(
      "http/absolute-form-host-conflict", "One host in the URL, another one in the field.",
      answered("GET http://a.example/ HTTP/1.1\\r\\nHost: b.example\\r\\n\\r\\n"), at: [1, 1], .toServer,
      says: "for a.example by its target and for b.example"),
    .silent(
      "http/absolute-form-host-conflict", "The same, with case and the standard port.",
      answered("GET http://user@a.example:80/ HTTP/1.1\\r\\nHost: A.Example\\r\\n\\r\\n")),
  ]

  private static let targets: [RuleRow] = [
    .fires(
      "http/target-form", "A raw blank.", refused("GET /a b HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "a raw space"),
    .fires(
      "http/target-form", "Raw UTF-8.", answered("GET /größe HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"), at: [1], .toServer),
    .fires(
      "http/target-form", "A fragment.", answered("GET /a#b HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"), at: [1], .toServer),
    .fires(
      "http/target-form", "A path for CONNECT.", refused("CONNECT /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"), at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange)),
    .fires(
      "http/target-form", "An asterisk for GET.", answered("GET * HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"), at: [1],
      .toServer),
    .silent("http/target-form", "An asterisk for OPTIONS.", answered("OPTIONS * HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")),
    .silent(
      "http/target-form", "Marks that everybody takes.",
      answered("GET /a|b?c=\\\"{d}\\\"%23 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")),
    .silent(
      "http/target-form", "Host and port for CONNECT.", refused("CONNECT a:443 HTTP/1.1\\r\\nHost: a:443\\r\\n\\r\\n")),
    .silent("http/target-form", "A URL for a proxy.", answered("GET http://a/b HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")),
  ]

  private static let cookie = String(repeating: "0123456789", count: 130)
  private static let head9000 =
    "> \"\(usual)Cookie: a=\(cookie)\" ①\n" + (0..<6).map { _ in "> \"\(cookie)\"\n" }.joined()
    + "> \"\\r\\n\\r\\n\" ②\n"

  private static let sizes: [RuleRow] = [
    .fires(
      "http/head-section-large", "Cookies beyond 8 KiB, refused.",
      handshake + head9000 + "< \"HTTP/1.1 431 Request Header Fields Too Large\\r\\nContent-Length: 0\\r\\n\\r\\n\" ③"
        + bye,
      at: [1, 2, 3], .toServer, severity: .error, confidence: .medium, cost: .failed(.exchange),
      says: "of it the value of Cookie"),
    .silent(
      "http/head-section-large", "A large body.",
      response(
        "HTTP/1.1 200 OK\\r\\nContent-Length: 13000\\r\\n\\r\\n\(cookie)\(cookie)\(cookie)\(cookie)\(cookie)\(cookie)\(cookie)\(cookie)\(cookie)\(cookie)"
      )),
    .silent("http/head-section-large", "A head of 1.3 KB.", answered("\(usual)Cookie: a=\(cookie)\\r\\n\\r\\n")),
    .fires(
      "http/head-dripped", "A packet for each line.",
      handshake + "> \"GET /a HTTP/1.1\\r\\n\" ①\n> \"Host: a\\r\\n\"\n> \"Accept: */*\\r\\n\"\n> \"\\r\\n\" ②\n\(fine)"
        + bye,
      at: [1, 2], .toServer, says: "came in 4 packets over 3.00 ms"),
    .fires(
      "http/head-dripped", "Two pieces, and more than a second between them.",
      handshake + "> \"GET /a HTTP/1.1\\r\\n\" ①\n+1s\n> \"Host: a\\r\\n\\r\\n\" ②\n\(fine)" + bye, at: [1, 2],
      .toServer,
      cost: .delay(nanoseconds: 1_001_000_000), says: "in 2 packets over 1.001 s"),
    .silent("http/head-dripped", "Many packets, all of them full.", handshake + head9000 + fine + bye),
    .silent(
      "http/head-dripped", "A packet in the middle was sent again, and was the last to come.",
      handshake + "> \"GET /a HTTP/1.1\\r\\n\"\n> \"Host: a\\r\\n\" !lost\n> \"Accept: */*\\r\\n\\r\\n\"\n+2s\n"
        + "> \"Host: a\\r\\n\" @17\n\(fine)" + bye),
    .silent(
      "http/head-dripped", "A packet in the middle was sent again before the rest.",
      handshake + "> \"GET /a HTTP/1.1\\r\\n\"\n> \"Host: a\\r\\n\" !lost\n> \"Accept: */*\\r\\n\"\n+2s\n"
        + "> \"Host: a\\r\\n\" @17\n> \"\\r\\n\"\n\(fine)" + bye),
    .silent(
      "http/head-dripped", "A body a second after its head.",
      handshake + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\\r\\n\"\n+2s\n> \"ok\"\n\(fine)" + bye
    ),
  ]
}

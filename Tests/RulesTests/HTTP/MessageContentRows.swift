import Events

/// Content codings, and what they stand for.
enum MessageContentRows {
  private static let get =
    handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\nAccept-Encoding: gzip, deflate\\r\\n\\r\\n\"\n"
  private static let bye = "> ACK\n< FIN\n> FIN\n< ACK\n"
  private static func gzip(_ length: Int) -> String {
    "\"HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nVary: Accept-Encoding\\r\\nContent-Length: \(length)\\r\\n\\r\\n\""
  }
  /// The first bytes of zeros packed as tightly as gzip can: a thousandfold and more.
  private static let zeros = "1f8b08000000000002ffedc1010d000000c2a0f74f6d0e37a0"

  private static let fine = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\""
  private static let refused = "< \"HTTP/1.1 400 Bad Request\\r\\nContent-Length: 2\\r\\n\\r\\nno\""
  private static func get(_ fields: String = "") -> String {
    handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\(fields)\\r\\n\" ①\n"
  }
  private static func response(_ status: String, _ fields: String, _ body: String) -> String {
    "< \"HTTP/1.1 \(status)\\r\\n\(fields)\\r\\n\" \(body) ②\n"
  }
  /// "hello", packed with gzip, zlib and raw DEFLATE.
  private static let helloGzip = "1f8b0800000000000203cb48cdc9c9070086a6103605000000"
  private static let helloZlib = "789ccb48cdc9c90700062c0215"
  private static let helloRaw = "cb48cdc9c90700"

  static let rows: [RuleRow] = inflation + broken + negotiation + misplaced + dates + ranges

  private static let inflation: [RuleRow] = [
    .fires(
      "http/inflation-stopped", "A kilobyte unpacks to more than a megabyte.",
      get + "< \(gzip(2_000)) ①\n< x\"\(zeros + String(repeating: "00", count: 575))\"\n"
        + "< x\"\(String(repeating: "00", count: 600))\" ②\n< x\"\(String(repeating: "00", count: 800))\"\n" + bye,
      at: [1, 2], .toClient, says: "its gzip body had unpacked to 1,"),
    .fires(
      "http/inflation-stopped", "The same, uploaded.",
      handshake
        + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Encoding: gzip\\r\\nContent-Length: 1500\\r\\n\\r\\n\" ①\n"
        + "> x\"\(zeros + String(repeating: "00", count: 1_475))\" ②\n"
        + "< \"HTTP/1.1 500 Internal Server Error\\r\\nContent-Length: 0\\r\\n\\r\\n\" ③\n" + bye, at: [1, 2, 3],
      .toServer,
      cost: .failed(.exchange)),
    .silent(
      "http/inflation-stopped", "The same ratio, and less than a megabyte.",
      get + "< \(gzip(625))\n< x\"\(zeros + String(repeating: "00", count: 600))\"\n" + bye),
    .silent(
      "http/inflation-stopped", "A kilobyte of something else that is called gzip.",
      get + "< \(gzip(1_200))\n< x\"\(String(repeating: "00", count: 1_200))\"\n" + bye),
  ]

  private static let broken: [RuleRow] = [
    .fires(
      "http/content-encoding-broken", "Text that is called gzip.",
      get() + response("200 OK", "Content-Encoding: gzip\\r\\nContent-Length: 5\\r\\n", "\"hello\"") + bye, at: [2, 2],
      .toClient, cost: .failed(.exchange), says: "declared as gzip, and cannot be decoded from its beginning"),
    .fires(
      "http/content-encoding-broken", "A wrong sum at the end.",
      get()
        + response(
          "200 OK", "Content-Encoding: gzip\\r\\nContent-Length: 25\\r\\n",
          "x\"\(helloGzip.dropLast(16))ffffffff05000000\"") + bye, at: [2, 2], .toClient, cost: .failed(.exchange),
      says: "after 5 B of content"),
    .fires(
      "http/content-encoding-broken", "The stream stops before its end.",
      get()
        + response("200 OK", "Content-Encoding: gzip\\r\\nContent-Length: 17\\r\\n", "x\"\(helloGzip.dropLast(16))\"")
        + bye, at: [2, 2], .toClient, severity: .warning, says: "ends before the compressed stream does"),
    .fires(
      "http/content-encoding-broken", "Raw DEFLATE.",
      get() + response("200 OK", "Content-Encoding: deflate\\r\\nContent-Length: 7\\r\\n", "x\"\(helloRaw)\"") + bye,
      at: [2, 2], .toClient, severity: .warning, says: "without the zlib format"),
    .fires(
      "http/content-encoding-broken", "Bytes behind the stream.",
      get() + response("200 OK", "Content-Encoding: deflate\\r\\nContent-Length: 15\\r\\n", "x\"\(helloZlib)0000\"")
        + bye,
      at: [2, 2], .toClient, severity: .warning, says: "has 2 B behind the end"),
    .silent(
      "http/content-encoding-broken", "The zlib format.",
      get() + response("200 OK", "Content-Encoding: deflate\\r\\nContent-Length: 13\\r\\n", "x\"\(helloZlib)\"") + bye),
    .silent(
      "http/content-encoding-broken", "gzip, whole.",
      get() + response("200 OK", "Content-Encoding: gzip\\r\\nContent-Length: 25\\r\\n", "x\"\(helloGzip)\"") + bye),
    .silent(
      "http/content-encoding-broken", "A part of the coded bytes.",
      get("Range: bytes=5-9\\r\\n")
        + response(
          "206 Partial Content",
          "Content-Encoding: gzip\\r\\nContent-Range: bytes 5-9/25\\r\\nContent-Length: 5\\r\\n", "\"hello\"") + bye),
    .silent(
      "http/content-encoding-broken", "The rest of the body was not captured.",
      get()
        + response("200 OK", "Content-Encoding: gzip\\r\\nContent-Length: 25\\r\\n", "x\"\(helloGzip.dropLast(16))\"")
        + "< \"12345678\" !lost\n" + bye),
  ]

  private static let unvaried =
    response("200 OK", "Content-Encoding: gzip\\r\\nContent-Length: 25\\r\\n", "x\"\(helloGzip)\"") + bye

  private static let negotiation: [RuleRow] = [
    .fires(
      "http/content-encoding-unasked", "gzip where only br is accepted.", get("Accept-Encoding: br\\r\\n") + unvaried,
      at: [1, 2], .toClient, says: "coded with gzip, which the request does not accept"),
    .fires(
      "http/content-encoding-unasked", "gzip of weight zero.",
      get("Accept-Encoding: gzip;q=0, *;q=0.5\\r\\n") + unvaried, at: [1, 2], .toClient),
    .silent(
      "http/content-encoding-unasked", "An old name, and another case.",
      get("Accept-Encoding: br, X-GZIP\\r\\n") + unvaried),
    .silent("http/content-encoding-unasked", "Everything is accepted.", get("Accept-Encoding: *\\r\\n") + unvaried),
    .silent("http/content-encoding-unasked", "Nothing is said of codings.", get() + unvaried),
    .fires(
      "http/vary-missing", "A compressed page for all.", get("Accept-Encoding: gzip\\r\\n") + unvaried, at: [1, 2],
      .toClient),
    .silent(
      "http/vary-missing", "It says so.",
      get("Accept-Encoding: gzip\\r\\n")
        + response(
          "200 OK", "Content-Encoding: gzip\\r\\nVary: Origin, accept-encoding\\r\\nContent-Length: 25\\r\\n",
          "x\"\(helloGzip)\"") + bye),
    .silent(
      "http/vary-missing", "No shared cache may store it.",
      get("Accept-Encoding: gzip\\r\\n")
        + response(
          "200 OK", "Content-Encoding: gzip\\r\\nCache-Control: private\\r\\nContent-Length: 25\\r\\n",
          "x\"\(helloGzip)\"") + bye),
  ]

  private static let misplaced: [RuleRow] = [
    .fires(
      "http/body-on-get", "A search with a body is refused.",
      get("Content-Length: 2\\r\\n") + "> \"{}\" ②\n\(refused) ③\n" + bye, at: [1, 2, 3], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "a body of 2 B, which GET gives no meaning"),
    .fires(
      "http/body-on-get", "A DELETE with a body is understood.",
      handshake + "> \"DELETE /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 2\\r\\n\\r\\n{}\" ①\n\(fine)\n" + bye,
      at: [1, 1], .toServer),
    .silent("http/body-on-get", "A GET of length zero.", get("Content-Length: 0\\r\\n") + "\(fine)\n" + bye),
    .fires(
      "http/no-length-no-te", "A POST without either is asked for a length.",
      handshake + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\" ①\n"
        + "< \"HTTP/1.1 411 Length Required\\r\\nContent-Length: 0\\r\\n\\r\\n\" ②\n" + bye, at: [1, 2], .toServer,
      cost: .failed(.exchange), says: "frames no body, and is taken for empty"),
    .fires(
      "http/no-length-no-te", "A POST without either sends a body all the same, and nobody reads it.",
      handshake + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\" ①\n> \"{\\\"a\\\":1}\" ②\n\(fine)\n" + bye,
      at: [1, 2], .toServer, severity: .error, cost: .lost(bytes: 7), says: "7 B follow that begin no other request"),
    .fires(
      "http/no-length-no-te", "The server says 100 to it, and takes what comes up to the close.",
      handshake + "> \"PUT /a HTTP/1.1\\r\\nHost: a\\r\\nExpect: 100-continue\\r\\n\\r\\n\" ①\n"
        + "< \"HTTP/1.1 100 Continue\\r\\n\\r\\n\"\n> \"{\\\"a\\\":1}\"\n\(fine)\n" + bye,
      at: [1], .toServer, severity: .note, says: "its content goes up to the close"),
    .silent("http/no-length-no-te", "A GET needs neither.", get() + "\(fine)\n" + bye),
    .silent(
      "http/no-length-no-te", "A POST of length zero.",
      handshake + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n\(fine)\n" + bye),
    .fires(
      "http/form-type-default", "JSON that is called a form.", form("{\\\"a\\\": 1}", length: 8), at: [1, 1, 2],
      .toServer,
      severity: .warning, cost: .failed(.exchange), says: "begins like JSON"),
    .silent("http/form-type-default", "A form.", form("a=1&b=%7B", length: 9)),
    .silent("http/form-type-default", "A form whose first name has a brace.", form("{a}=1&b=2", length: 9)),
  ]

  private static func form(_ body: String, length: Int) -> String {
    handshake
      + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: application/x-www-form-urlencoded\\r\\nContent-Length: \(length)\\r\\n\\r\\n\(body)\" ①\n"
      + "\(refused) ②\n" + bye
  }

  /// The scripts begin on Tue, 14 Nov 2023 22:13:20 GMT.
  private static func dated(_ fields: String) -> String {
    get() + response("200 OK", fields + "Content-Length: 2\\r\\n", "\"ok\"") + bye
  }

  private static let dates: [RuleRow] = [
    .fires(
      "http/date-missing-or-skewed", "None.", dated(""), at: [2], .toClient, says: "the response has no Date"),
    .fires(
      "http/date-missing-or-skewed", "One server on two connections: told once.",
      "== 10.0.0.1:5000 10.0.0.2:80\n" + dated("") + "\n== 10.0.0.1:5001 10.0.0.2:80\n"
        + dated("").replacing("①", with: "").replacing("②", with: ""), at: [2],
      .toClient, count: 2, says: "the response has no Date"),
    .fires(
      "http/date-missing-or-skewed", "The capture begins with the response, and the ports do not tell who answers.",
      "== 10.0.0.1:50000 10.0.0.2:50001\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\" ①\n> ACK\n",
      at: [1],
      .toClient),
    .fires(
      "http/date-missing-or-skewed", "A minute behind.", dated("Date: Tue, 14 Nov 2023 22:12:20 GMT\\r\\n"), at: [2],
      .toClient, says: "Date is 60.000 s behind"),
    .fires(
      "http/date-missing-or-skewed", "A leap day ahead of its time.",
      dated("Date: Thu, 29 Feb 2024 22:13:20 GMT\\r\\n"), at: [2], .toClient, says: "Date is 2,568 h 00 min ahead"),
    .silent("http/date-missing-or-skewed", "Thirty seconds.", dated("Date: Tue, 14 Nov 2023 22:13:50 GMT\\r\\n")),
    .silent(
      "http/date-missing-or-skewed", "An hour old, as the cache says.",
      dated("Age: 3600\\r\\nDate: Tue, 14 Nov 2023 21:13:20 GMT\\r\\n")),
    .silent(
      "http/date-missing-or-skewed", "A tunnel begins.",
      handshake
        + "> \"CONNECT a:443 HTTP/1.1\\r\\nHost: a:443\\r\\n\\r\\n\"\n< \"HTTP/1.1 200 Connected\\r\\n\\r\\n\"\n" + bye),
    .silent(
      "http/date-missing-or-skewed", "5xx need none.",
      get() + response("503 Service Unavailable", "Content-Length: 2\\r\\n", "\"no\"") + bye),
    .silent(
      "http/date-missing-or-skewed", "A form that is not read.", dated("Date: Sunday, 06-Nov-94 08:49:37 GMT\\r\\n")),
  ]

  private static let asked = "Range: bytes=100-199\\r\\n"
  private static func part(_ range: String, _ body: String) -> String {
    response("206 Partial Content", "\(range)Content-Length: 5\\r\\n", body) + bye
  }

  private static let ranges: [RuleRow] = [
    .fires(
      "http/range-inconsistent", "Nobody asked.", get() + part("Content-Range: bytes 0-4/9\\r\\n", "\"hello\""),
      at: [2], .toClient, says: "the request has no Range"),
    .fires(
      "http/range-inconsistent", "It does not say which part.", get(asked) + part("", "\"hello\""), at: [1, 2],
      .toClient, cost: .failed(.exchange), says: "does not say which"),
    .fires(
      "http/range-inconsistent", "Fewer bytes than the range.",
      get(asked) + part("Content-Range: bytes 100-199/900\\r\\n", "\"hello\""), at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "speaks of 100 B, and the body has 5 B"),
    .fires(
      "http/range-inconsistent", "Another beginning.",
      get(asked) + part("Content-Range: bytes 0-4/900\\r\\n", "\"hello\""), at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "begins at byte 0, and was requested from 100"),
    .fires(
      "http/range-inconsistent", "Written as in a request, and the part that was asked for.",
      get(asked) + part("Content-Range: bytes=100-104/900\\r\\n", "\"hello\""), at: [1, 2], .toClient,
      says: "does not follow the grammar"),
    .fires(
      "http/range-inconsistent", "No numbers at all.",
      get(asked) + part("Content-Range: bytes some\\r\\n", "\"hello\""), at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "does not follow the grammar"),
    .silent(
      "http/range-inconsistent", "Less than was asked for, and it says so.",
      get(asked) + part("Content-Range: bytes 100-104/105\\r\\n", "\"hello\"")),
    .silent(
      "http/range-inconsistent", "From the end.",
      get("Range: bytes=-5\\r\\n") + part("Content-Range: bytes 895-899/900\\r\\n", "\"hello\"")),
    .silent(
      "http/range-inconsistent", "Several parts.",
      get("Range: bytes=0-0,5-9\\r\\n") + part("Content-Type: multipart/byteranges; boundary=x\\r\\n", "\"hello\"")),
  ]
}

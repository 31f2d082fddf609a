/// All rows of the family.
enum CaseRows {
  static let rows = names + tokens + startLines

  private static func exchange(
    _ request: String = "GET / HTTP/1.1", _ requestFields: String = "", _ status: String = "200 OK",
    _ responseFields: String = "", line: String = "HTTP/1.1"
  ) -> String {
    """
    > "\(request)\\r\\nHost: a.example\\r\\n\(requestFields)\\r\\n" ①
    < "\(line) \(status)\\r\\n\(responseFields)Content-Length: 0\\r\\n\\r\\n" ②

    """
  }

  /// With one field, and an answer that has none of interest.
  private static func asked(_ field: String, _ mark: String = "") -> String {
    "> \"GET / HTTP/1.1\\r\\nHost: a.example\\r\\n\(field)\\r\\n\\r\\n\"\(mark)\n"
      + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
  }

  private static let names: [RuleRow] = [
    .fires(
      "case/field-name-mixed", "registered names in odd spellings",
      handshake + exchange("GET / HTTP/1.1", "", "200 OK", "SERVER: own\\r\\nContent-TYPE: text/plain\\r\\n"),
      at: [2, 2], .toClient, count: 2, says: "\"SERVER\", \"Content-TYPE\""),
    .fires(
      "case/field-name-mixed", "a name of one's own that mixes conventions",
      handshake + exchange("GET / HTTP/1.1", "x-CUSTOM-id: 42\\r\\n"), at: [1], .toServer, says: "x-CUSTOM-id"),
    .fires(
      "case/field-name-mixed", "two spellings in two responses of one connection",
      handshake + "> \"GET / HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nX-Trace: 1\\r\\nContent-Length: 0\\r\\n\\r\\n\" ①\n"
        + "> \"GET / HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nx-trace: 2\\r\\nContent-Length: 0\\r\\n\\r\\n\" ②\n",
      at: [1, 2], .toClient, says: "\"X-Trace\" and \"x-trace\""),
    .fires(
      "case/field-name-mixed", "another spelling behind two heads that are alike",
      handshake + asked("X-Id: 1", " ①") + asked("X-Id: 2") + asked("X-ID: 3", " ②"),
      at: [1, 2], .toServer, says: "\"X-Id\" and \"X-ID\""),
    .fires(
      "case/field-name-mixed", "an odd name is told once, however often it comes",
      handshake + exchange("GET / HTTP/1.1", "", "200 OK", "SERVER: own\\r\\n")
        + "> \"GET / HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nSERVER: own\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n", at: [2], .toClient),
    .silent(
      "case/field-name-mixed", "names that are registered in a spelling of their own",
      handshake
        + exchange(
          "GET / HTTP/1.1",
          "DNT: 1\\r\\nTE: trailers\\r\\nSOAPAction: a\\r\\nSec-WebSocket-Key: a\\r\\nLast-Event-ID: 1\\r\\nUser-agent: a\\r\\n",
          "200 OK",
          "ETag: \\\"1\\\"\\r\\nWWW-Authenticate: Basic\\r\\nX-XSS-Protection: 0\\r\\nCF-RAY: 1\\r\\nX-AspNet-Version: 4\\r\\n"
        )),
    .silent(
      "case/field-name-mixed", "lower case throughout from one side, capitals from the other",
      handshake
        + exchange(
          "GET / HTTP/1.1", "accept: a\\r\\ncontent-type: b\\r\\n", "200 OK", "Accept: a\\r\\nContent-Type: b\\r\\n")),
    .silent(
      "case/field-name-mixed", "a device that writes everything in capitals",
      handshake
        + "> \"NOTIFY / HTTP/1.1\\r\\nHOST: a.example\\r\\nCONTENT-TYPE: text/xml\\r\\nNT: upnp:event\\r\\nCONTENT-LENGTH: 0\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"),
  ]

  private static let tokens: [RuleRow] = [
    .fires(
      "case/token-value", "an expectation in capitals, refused",
      handshake
        + exchange("PUT / HTTP/1.1", "Content-Length: 0\\r\\nExpect: 100-Continue\\r\\n", "417 Expectation Failed"),
      at: [1, 2], .toServer, cost: .failed(.exchange), says: "compares bytes with \"100-continue\""),
    .fires(
      "case/token-value", "a coding in capitals, and nobody hurt",
      handshake + exchange("GET / HTTP/1.1", "", "200 OK", "Content-Encoding: GZIP\\r\\n"), at: [2], .toClient,
      says: "\"GZIP\""),
    .fires(
      "case/token-value", "two of them are counted",
      handshake + exchange("GET / HTTP/1.1", "", "200 OK", "Accept-Ranges: Bytes\\r\\nConnection: Close\\r\\n"),
      at: [2],
      .toClient, count: 2, says: "\"Bytes\""),
    .fires(
      "case/token-value", "a browser's spelling, where the upgrade was refused, is no cause",
      handshake
        + exchange("GET / HTTP/1.1", "Connection: Upgrade\\r\\nUpgrade: websocket\\r\\n", "400 Bad Request"),
      at: [1, 2], .toServer, says: "how browsers write it"),
    .silent(
      "case/token-value", "a browser's spelling, and the upgrade was made",
      handshake
        + exchange(
          "GET / HTTP/1.1", "Connection: keep-alive, Upgrade\\r\\nUpgrade: websocket\\r\\n", "101 Switching Protocols",
          "Connection: upgrade\\r\\nUpgrade: websocket\\r\\n")),
    .silent(
      "case/token-value", "Keep-Alive, and a failure that has other reasons",
      handshake + exchange("GET / HTTP/1.1", "Connection: Keep-Alive\\r\\n", "500 Internal Server Error")),
    .silent(
      "case/token-value", "the name of a field is no token of a list",
      handshake
        + exchange("GET / HTTP/1.1", "Connection: keep-alive, X-Hop, TE\\r\\nTE: trailers\\r\\n", "400 Bad Request")),
  ]

  private static let startLines: [RuleRow] = [
    .fires(
      "case/method-lower", "a server that does not know get",
      handshake + exchange("get / HTTP/1.1", "", "501 Not Implemented"), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange),
      says: "not in upper case"),
    .fires(
      "case/method-lower", "a server that does not mind",
      handshake + exchange("Post / HTTP/1.1", "Content-Length: 0\\r\\n"), at: [1], .toServer),
    .silent(
      "case/method-lower", "a method that is known in no case",
      handshake + exchange("frobnicate / HTTP/1.1", "", "501 Not Implemented")),
    .silent(
      "case/method-lower", "the right case, refused",
      handshake + exchange("DELETE / HTTP/1.1", "", "405 Method Not Allowed")),
    .fires(
      "case/version-lower", "a strict server", handshake + exchange("GET / http/1.1", "", "400 Bad Request"),
      at: [1, 2],
      .toServer, confidence: .medium, cost: .failed(.exchange)),
    .fires(
      "case/version-lower", "a device that answers so",
      handshake + exchange("GET / HTTP/1.1", "", "200 OK", "", line: "Http/1.1"), at: [2], .toClient),
    .silent(
      "case/version-lower", "a version that nobody speaks, refused",
      handshake + exchange("GET / HTTP/1.7", "", "505 HTTP Version Not Supported")),
  ]
}

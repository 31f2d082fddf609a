import Events

/// Bodies that are shorter or longer than announced, or should not be there.
enum MessageLengthRows {
  private static let get = handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
  private static let head = handshake + "> \"HEAD /a HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
  private static let post =
    "POST /a HTTP/1.1\\r\\nHost: a.example\\r\\nContent-Type: application/json\\r\\nContent-Length: "
  private static let fine = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\""
  private static let refused = "< \"HTTP/1.1 400 Bad Request\\r\\nContent-Length: 2\\r\\n\\r\\nno\""
  private static let bye = "> ACK\n< FIN\n> FIN\n< ACK\n"

  static let rows: [RuleRow] = short + excess + bodyless + emptyPost

  private static let short: [RuleRow] = [
    .fires(
      "http/cl-short", "The server closes before the announced length.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\n\" ①\n< \"abcd\" ②\n> ACK\n< FIN ③\n> FIN\n< ACK\n",
      at: [1, 2, 3],
      .toClient, cost: .failed(.exchange), says: "closed 6 B before the end"),
    .fires(
      "http/cl-short", "The client resets in the middle of its upload.",
      handshake + "> \"\(post)10\\r\\n\\r\\nabc\" ①\n< ACK\n> RST ②\n", at: [1, 1, 2], .toServer,
      cost: .failed(.exchange)),
    .silent(
      "http/cl-short", "The server refuses the upload, and the client stops.",
      handshake + "> \"\(post)10\\r\\n\\r\\nabc\"\n"
        + "< \"HTTP/1.1 413 Too Large\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n> FIN\n< FIN\n"),
    .silent(
      "http/cl-short", "The server answers without reading the upload, and the client stops.",
      handshake + "> \"\(post)10\\r\\n\\r\\nabc\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n> FIN\n< FIN\n"),
    .fires(
      "http/cl-short", "The answer is not over when the client breaks off.",
      handshake + "> \"\(post)10\\r\\n\\r\\nabc\" ①\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\na\"\n> FIN ②\n< \"b\" FIN\n",
      at: [1, 1, 2], .toServer, cost: .failed(.exchange)),
    .fires(
      "http/cl-short", "The client breaks its upload off, and only then is refused.",
      handshake + "> \"\(post)10\\r\\n\\r\\nabc\" ①\n< ACK\n> FIN ②\n"
        + "< \"HTTP/1.1 400 Bad\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n< FIN\n",
      at: [1, 1, 2], .toServer, cost: .failed(.exchange)),
    .silent(
      "http/cl-short", "A channel of RPC over HTTP: its length is for its whole life.",
      handshake
        + "> \"RPC_IN_DATA /rpc HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 1073741824\\r\\n\\r\\nabc\"\n< ACK\n> FIN\n< FIN\n"
    ),
    .silent(
      "http/cl-short", "The client leaves a response that is still coming.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabcd\"\n> RST\n"),
    .silent(
      "http/cl-short", "The answer to HEAD announces what GET would bring.",
      head + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\n\"\n" + bye),
    .silent(
      "http/cl-short", "The bytes were sent, and not captured.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabcd\"\n< \"efg\" !lost\n> ACK\n" + bye),
    .silent(
      "http/cl-short", "The reset stands behind bytes that the capture does not show.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabcd\"\n> ACK\n< RST seq+6\n"),
    .fires(
      "http/cl-short", "The FIN overtakes bytes that were lost, and these follow it.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nab\" ①\n> ACK\n< FIN seq+2 ③\n"
        + "> ACK ack=41\n+200ms\n< \"cd\" @41 ②\n> ACK\n> FIN\n", at: [1, 2, 3], .toClient, cost: .failed(.exchange)),
    .fires(
      "http/cl-short", "The server was not captured: it may have answered before.",
      "> \"\(post)10\\r\\n\\r\\nabc\" ①\n> FIN ②\n", at: [1, 1, 2], .toServer, severity: .warning, confidence: .low,
      cost: .failed(.exchange),
      says:
        "response not captured: the client closed 7 B before the end of the body it had announced; what the server did is not"
    ),
    .silent(
      "http/cl-short", "The capture ends before the body.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nabcd\"\n"),
  ]

  private static let excess: [RuleRow] = [
    .fires(
      "http/cl-excess", "Three bytes more than announced.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nabcd\" ①\n< \"efg\" ②\n" + bye, at: [1, 2],
      .toClient,
      cost: .lost(bytes: 3), says: "3 B follow the body of the response 200 beyond the 4 B it announced"),
    .fires(
      "http/cl-excess", "Characters were counted, and bytes were sent.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 6\\r\\n\\r\\nGrüße!\" ①\n" + bye, at: [1, 1], .toClient,
      cost: .lost(bytes: 2), says: "characters were counted"),
    .fires(
      "http/cl-excess", "The surplus stands before the next response.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok..\" ①\n"
        + "> \"GET /b HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n\(fine)\n" + bye, at: [1, 1], .toClient,
      cost: .lost(bytes: 2)),
    .fires(
      "http/cl-excess", "An upload is longer than it says.",
      handshake + "> \"\(post)4\\r\\n\\r\\n{}{}\" ①\n> \"{\\\"more\\\": true}\" ②\n\(fine)\n" + bye, at: [1, 2],
      .toServer, cost: .lost(bytes: 14), says: "14 B follow the body of the request"),
    .fires(
      "http/cl-excess", "Only a line end follows, which many readers skip.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\\r\\n\" ①\n"
        + "> \"GET /b HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n\(fine)\n" + bye, at: [1, 1], .toClient,
      says: "2 B of line ends"),
    .silent(
      "http/cl-excess", "The next response follows at once.",
      handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nGET /b HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nokHTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\"\n"
        + bye),
    .silent(
      "http/cl-excess", "An empty line after an upload, which readers skip.",
      handshake + "> \"\(post)2\\r\\n\\r\\n{}\\r\\n\"\n\(fine)\n> \"\(post)2\\r\\n\\r\\n{}\"\n\(fine)\n" + bye),
    .silent(
      "http/cl-excess", "A body without announced length is as long as it is.",
      get + "< \"HTTP/1.1 200 OK\\r\\n\\r\\nabcdefgh\"\n" + bye),
    .silent(
      "http/cl-excess", "A hole before it may have moved everything.",
      get + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 8\\r\\n\\r\\nabcd\"\n< \"efgh\" !lost\n< \"ijkl\"\n> ACK\n" + bye),
  ]

  private static let bodyless: [RuleRow] = [
    .fires(
      "http/bodyless-with-body", "The answer to HEAD brings the body, and the next request gets none.",
      head + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\n\" ①\n< \"hello\" ②\n"
        + "> \"GET /b HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\" ③\n> RST\n", at: [1, 2, 3], .toClient,
      cost: .failed(.exchange), says: "200 to HEAD ends with its head, but 5 B follow"),
    .fires(
      "http/bodyless-with-body", "A 204 with content; the connection was not used again.",
      get + "< \"HTTP/1.1 204 No Content\\r\\n\\r\\n{}\" ①\n" + bye, at: [1, 1], .toClient, says: "The response 204"),
    .fires(
      "http/bodyless-with-body", "Content behind 100 Continue, before the final response.",
      handshake
        + "> \"\(post)2\\r\\nExpect: 100-continue\\r\\n\\r\\n\"\n< \"HTTP/1.1 100 Continue\\r\\n\\r\\ngo on\" ①\n"
        + "> \"{}\"\n\(fine)\n" + bye, at: [1, 1], .toClient, says: "The response 100"),
    .fires(
      "http/bodyless-with-body", "A 205 with content.",
      get + "< \"HTTP/1.1 205 Reset Content\\r\\nContent-Length: 2\\r\\n\\r\\n\" ①\n< \"ok\" ②\n" + bye, at: [1, 2],
      .toClient, says: "this one has 2 B"),
    .silent(
      "http/bodyless-with-body", "The next response follows a 304 at once.",
      handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\nGET /b HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 304 Not Modified\\r\\nContent-Length: 9\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok\"\n"
        + bye),
    .silent(
      "http/bodyless-with-body", "A 205 that is empty.",
      get + "< \"HTTP/1.1 205 Reset Content\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n" + bye),
    .silent(
      "http/bodyless-with-body", "What follows an upgrade is another protocol.",
      handshake + "> \"GET /a HTTP/1.1\\r\\nHost: a\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 101 Switching Protocols\\r\\nConnection: upgrade\\r\\nUpgrade: x\\r\\n\\r\\nbytes\"\n" + bye),
    .silent(
      "http/bodyless-with-body", "A request is missing: whose response is whose is not known.",
      handshake + "> \"HEAD /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n> \"GET /b\" !lost\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nhello\"\n" + bye),
  ]

  private static let emptyPost: [RuleRow] = [
    .fires(
      "http/post-empty-with-type", "JSON of no bytes is refused.",
      handshake + "> \"\(post)0\\r\\n\\r\\n\" ①\n\(refused) ②\n" + bye, at: [1, 1, 2], .toServer,
      severity: .error, cost: .failed(.exchange), says: "the POST declares application/json and sends 0 B"),
    .fires(
      "http/post-empty-with-type", "The same is answered as if nothing were wrong.",
      handshake + "> \"\(post)0\\r\\n\\r\\n\" ①\n\(fine)\n" + bye, at: [1, 1], .toServer),
    .silent(
      "http/post-empty-with-type", "The empty first step of a login.",
      handshake + "> \"\(post)0\\r\\nAuthorization: NTLM TlRM\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 401 Unauthorized\\r\\nWWW-Authenticate: NTLM TlRM\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n" + bye),
    .silent(
      "http/post-empty-with-type", "No type, no body.",
      handshake + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n\(refused)\n" + bye),
    .silent(
      "http/post-empty-with-type", "A form without fields.",
      handshake
        + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: application/x-www-form-urlencoded\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
        + "\(fine)\n" + bye),
    .silent(
      "http/post-empty-with-type", "A body in chunks has no length.",
      handshake
        + "> \"POST /a HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: text/plain\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n\"\n"
        + "\(refused)\n" + bye),
  ]
}

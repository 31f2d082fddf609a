import Events

/// Rows of what the field says of the message, and of what the body says of the field.
enum CodingRows {
  private typealias C = ChunkedRows

  static let rows: [RuleRow] = spelling + twoFramings + versions + rejected + layers

  private static let spelling: [RuleRow] = [
    .fires(
      "chunked/te-case", "Apple's spelling is answered with 500.",
      C.post(#"Transfer-Encoding: Chunked\r\n"#, C.body, C.refused("500 Internal Server Error")), at: [1, 2],
      .toServer, severity: .error, cost: .failed(.exchange), says: "Chunked"),
    .fires(
      "chunked/te-case", "The same spelling is understood: lint.",
      C.post(#"Transfer-Encoding: Chunked\r\n"#, C.body, C.refused("200 OK")), at: [1, 2], .toServer),
    .fires(
      "chunked/te-case", "404 is not a matter of spelling.",
      C.post(#"Transfer-Encoding: Chunked\r\n"#, C.body, C.refused("404 Not Found")), at: [1, 2], .toServer),
    .silent(
      "chunked/te-case", "The usual spelling is answered with 500.",
      C.post(C.chunked, C.body, C.refused("500 Internal Server Error"))),
    .silent(
      "chunked/te-case", "The field's name may be spelled in any way.",
      C.post(#"TRANSFER-ENCODING: chunked\r\n"#, C.body, C.empty200)),
  ]

  private static let twoFramings: [RuleRow] = [
    .fires(
      "chunked/te-and-cl", "A request with both is refused.",
      C.post(C.chunked + #"Content-Length: 5\r\n"#, C.body, C.refused("400 Bad Request")), at: [1, 1, 2], .toServer,
      cost: .failed(.exchange), says: "a length of 5; the body has 5 B"),
    .fires(
      "chunked/te-and-cl", "A response with both.",
      C.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Length: 15\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n" ①"#),
      at: [1, 1], .toClient),
    .silent(
      "chunked/te-and-cl", "The request has one, the response the other.", C.post(C.chunked, C.body, C.empty200)),
  ]

  private static let versions: [RuleRow] = [
    .fires(
      "chunked/te-http10", "A chunked request of HTTP/1.0 is refused.",
      C.post(C.chunked, C.body, C.refused("400 Bad Request"), version: "1.0"), at: [1, 1, 2], .toServer,
      cost: .failed(.exchange)),
    .fires(
      "chunked/te-http10", "A chunked answer to HTTP/1.0.",
      handshake + #"> "GET /a HTTP/1.0\r\n\r\n" ①"# + "\n" + #"< "\#(C.chunks)0\r\n\r\n" ②"#, at: [1, 2], .toClient,
      says: "the request is HTTP/1.0"),
    .fires(
      "chunked/te-http10", "A response that calls itself 1.0.",
      C.get(#"< "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" ①"#), at: [1, 1], .toClient),
    .silent(
      "chunked/te-http10", "HTTP/1.0 is answered with a length.",
      handshake + #"> "GET /a HTTP/1.0\r\n\r\n""# + "\n" + C.empty200),
  ]

  private static let rejected: [RuleRow] = [
    .fires(
      "chunked/request-rejected-411-501", "The server wants a length.",
      C.post(C.chunked, C.body, C.refused("411 Length Required")), at: [1, 2], .toServer, cost: .failed(.exchange),
      says: "requires a Content-Length"),
    .fires(
      "chunked/request-rejected-411-501", "400 comes before the second chunk.",
      C.post(C.chunked, #"> "5\r\nhello\r\n""#, C.refused("400 Bad Request"), #"> "0\r\n\r\n""#), at: [1, 2], .toServer,
      severity: .warning, confidence: .low, cost: .failed(.exchange), says: "inferred"),
    .silent(
      "chunked/request-rejected-411-501", "400 after the whole body may be about its content.",
      C.post(C.chunked, C.body, C.refused("400 Bad Request"))),
    .silent(
      "chunked/request-rejected-411-501", "A request without body gets 501.",
      handshake + #"> "BREW /pot HTTP/1.1\r\nHost: h.example\r\n\r\n""# + "\n" + C.refused("501 Not Implemented")),
  ]

  private static let layers: [RuleRow] = [
    .fires(
      "chunked/double-chunked", "The application frames what the server frames.",
      C.get(#"< "\#(C.chunks)f\r\n5\r\nhello\r\n0\r\n\r\n\r\n0\r\n\r\n" ①"#), at: [1, 1], .toClient,
      cost: .failed(.exchange), says: "1 chunk of 5 B in all, with its last chunk"),
    .silent(
      "chunked/double-chunked", "The content begins like a size and goes on as text.",
      C.get(#"< "\#(C.chunks)c\r\n5\r\nhello you\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/double-chunked", "Numbers in lines are no chunks.",
      C.get(#"< "\#(C.chunks)9\r\n1\r\n2\r\n3\r\n\r\n0\r\n\r\n""#)),
    .fires(
      "chunked/framing-without-header", "A proxy lost the field.",
      C.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/css\r\n\r\n" ①"#, #"< "5\r\nhello\r\n" ②"#, #"< "0\r\n\r\n""#,
        "< FIN"), at: [1, 2], .toClient, cost: .failed(.exchange), says: "1 chunk of 5 B"),
    .silent(
      "chunked/framing-without-header", "The chunks do not come out even.",
      C.get(#"< "HTTP/1.1 200 OK\r\n\r\n5\r\nhello!\r\n0\r\n\r\n""#, "< FIN")),
    .silent(
      "chunked/framing-without-header", "A short body that looks like the beginning of a chunk.",
      C.get(#"< "HTTP/1.1 200 OK\r\n\r\n5\r\nhello\r\n""#, "< FIN")),
    .fires(
      "chunked/body-not-chunked", "The application set the field itself.",
      C.get(#"< "\#(C.chunks)" ①"#, #"< "{\"a\": 1}\n" ②"#, "< FIN"), at: [1, 2], .toClient, cost: .failed(.exchange)),
    .fires(
      "chunked/body-not-chunked", "The same in a request, which gets 400.",
      C.post(C.chunked, #"> "hello\r\n" ③"#, C.refused("400 Bad Request")), at: [1, 3, 2], .toServer,
      cost: .failed(.exchange)),
    .silent(
      "chunked/body-not-chunked", "A blank behind the size is another matter.",
      C.get(#"< "\#(C.chunks)5 \r\nhello\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/body-not-chunked", "A size with a foreign letter is one all the same.",
      C.get(#"< "\#(C.chunks)fx\r\nhello\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/body-not-chunked", "In the middle of a stream, a response may answer HEAD.",
      #"< "\#(C.chunks)" "# + "\n" + #"< "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n""#),
  ]
}

import Events

/// Rows of the Transfer-Encoding field's anomalies.
enum CodingFieldRows {
  private typealias C = ChunkedRows

  static let rows: [RuleRow] = identity + lists + forbidden

  private static func field(_ value: String) -> String { #"Transfer-Encoding: \#(value)\r\n"# }

  private static let identity: [RuleRow] = [
    .fires(
      "chunked/te-identity", "A request says identity, and the server does not implement it.",
      C.post(field("identity"), C.refused("501 Not Implemented")), at: [1, 2], .toServer, confidence: .medium,
      cost: .failed(.exchange)),
    .fires(
      "chunked/te-identity", "A response says identity and goes on to the close.",
      C.get(#"< "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nhello" ①"#, "< FIN"), at: [1], .toClient),
    .silent(
      "chunked/te-identity", "The content's coding may be identity.",
      C.get(#"< "HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n""#)),
  ]

  private static let lists: [RuleRow] = [
    .fires(
      "chunked/te-duplicate-field", "Library and application both set the field.",
      C.post(field("chunked") + field("chunked"), C.body, C.refused("400 Bad Request")), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent(
      "chunked/te-duplicate-field", "Two codings in one field.", C.post(field("gzip, chunked"), C.body, C.empty200)),
    .fires(
      "chunked/te-chunked-twice", "One list names it twice.", C.post(field("chunked, chunked"), C.body, C.empty200),
      at: [1], .toServer),
    .silent("chunked/te-chunked-twice", "Once is right.", C.post(field("gzip, chunked"), C.body, C.empty200)),
    .fires(
      "chunked/te-not-final", "gzip behind chunked in a request, which is refused.",
      C.post(field("chunked, gzip"), C.body, C.refused("400 Bad Request")), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent("chunked/te-not-final", "gzip before chunked.", C.post(field("gzip, chunked"), C.body, C.empty200)),
    .fires(
      "chunked/te-unknown-coding", "A misspelled name is not implemented.",
      C.post(field("chunkedchunked"), C.refused("501 Not Implemented")), at: [1, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent(
      "chunked/te-unknown-coding", "Old names of known codings.", C.post(field("x-gzip, chunked"), C.body, C.empty200)),
    .fires(
      "chunked/te-list-empty-element", "A comma before the name.", C.post(field(", chunked"), C.body, C.empty200),
      at: [1], .toServer),
    .silent(
      "chunked/te-list-empty-element", "Blanks around the name are no element.",
      C.post(field("  chunked  "), C.body, C.empty200)),
    .fires(
      "chunked/te-non-token", "A vertical tab before the name.",
      C.post(field(#"\x0bchunked"#), C.refused("400 Bad Request")), at: [1, 2], .toServer, confidence: .medium,
      cost: .failed(.exchange)),
    .silent(
      "chunked/te-non-token", "A tab is a blank like any other.", C.post(field(#"\tchunked"#), C.body, C.empty200)),
  ]

  private static let forbidden: [RuleRow] = [
    .fires(
      "chunked/te-forbidden-status", "204 with a coding.",
      C.get(#"< "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n" ①"#), at: [1], .toClient),
    .silent(
      "chunked/te-forbidden-status", "304 may say how the body would be coded.",
      C.get(#"< "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n""#)),
    .fires(
      "chunked/te-on-head-304", "304 says how the body would be coded.",
      C.get(#"< "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n" ①"#), at: [1], .toClient),
    .fires(
      "chunked/te-on-head-304", "So does an answer to HEAD.",
      handshake + #"> "HEAD /a HTTP/1.1\r\nHost: h.example\r\n\r\n""# + "\n"
        + #"< "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" ①"#, at: [1], .toClient),
    .silent(
      "chunked/te-on-head-304", "An answer to GET has the body.", C.get(#"< "\#(C.chunks)0\r\n\r\n""#)),
  ]
}

import Events

/// Rows of bytes behind the end of a message.
enum AfterEndRows {
  private typealias C = ChunkedRows

  static let rows: [RuleRow] = [
    .fires(
      "chunked/early-terminator", "An empty write ends the response, and the stream goes on.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\n\r\n" ①"#, "+1s", #"< "5\r\nworld\r\n0\r\n\r\n" ②"#), at: [1, 2],
      .toClient,
      cost: .failed(.exchange), says: "sent more chunks 1.001 s later"),
    .fires(
      "chunked/early-terminator", "In a request the rest is answered with 400.",
      C.post(
        C.chunked, #"> "5\r\nhello\r\n0\r\n\r\n" ④"#, C.empty200, #"> "5\r\nworld\r\n" ②"#,
        #"< "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n" ③"#, "< FIN"), at: [4, 2, 3],
      .toServer, cost: .failed(.exchange), says: "answered them with 400"),
    .silent(
      "chunked/early-terminator", "After the end comes the next response.",
      C.get(
        #"< "\#(C.chunks)5\r\nhello\r\n0\r\n\r\n""#, #"> "GET /b HTTP/1.1\r\nHost: h.example\r\n\r\n""#, C.empty200)),
    .silent(
      "chunked/early-terminator", "A chunk behind a body of known length is something else.",
      C.get(#"< "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello""#, #"< "5\r\nworld\r\n""#)),
    .fires(
      "chunked/data-after-terminator", "A debug print behind the end: nobody stumbles.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\n\r\n" ③"#, #"< "done in 5 ms\n" ①"#, "< FIN", "> FIN"), at: [3, 1],
      .toClient),
    .fires(
      "chunked/data-after-terminator", "The client resets the connection for it.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\n\r\n" ③"#, #"< "done in 5 ms\n" ①"#, "> RST ②"), at: [3, 1, 2],
      .toClient,
      cost: .failed(.connection), says: "reset the connection 1.00 ms later"),
    .silent(
      "chunked/data-after-terminator", "One empty line before a request is allowed.",
      C.post(
        C.chunked, #"> "5\r\nhello\r\n0\r\n\r\n\r\n""#, C.empty200,
        #"> "GET /b HTTP/1.1\r\nHost: h.example\r\n\r\n""#, C.empty200)),
    .silent(
      "chunked/data-after-terminator", "Bytes behind a body of known length are something else.",
      C.get(#"< "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello""#, #"< "done in 5 ms\n""#)),
  ]
}

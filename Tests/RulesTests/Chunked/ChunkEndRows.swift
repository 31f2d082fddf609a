import Events

/// Rows of bodies that have no end, half of one, or a late one.
enum ChunkEndRows {
  private typealias C = ChunkedRows

  static let rows: [RuleRow] = missing + incomplete + late + trailers

  private static let missing: [RuleRow] = [
    .fires(
      "chunked/missing-last-chunk", "The server closes between two chunks.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n" ①"#, "> ACK", "+5s", "< FIN ②", "> FIN"), at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "closed after 5 B of a chunked body, between two chunks"),
    .fires(
      "chunked/missing-last-chunk", "The server resets inside a chunk.",
      C.get(#"< "\#(C.chunks)5\r\nhel" ①"#, "> ACK", "< RST ②"), at: [1, 2], .toClient, cost: .failed(.exchange),
      says: "2 B short of a whole chunk"),
    .fires(
      "chunked/missing-last-chunk", "A reset in the client's name: a note.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n" ①"#, "> ACK", "+5s", "> RST ②"), at: [1, 2], .toClient,
      severity: .note, confidence: .medium,
      says: "the client, or a middlebox in its name, reset the connection 5.002 s after"),
    .fires(
      "chunked/missing-last-chunk", "The client was not captured: it may have left first.",
      "< \"\(C.chunks)5\\r\\nhello\\r\\n\" ①\n+5s\n< FIN ②\n", at: [1, 2], .toClient, severity: .warning,
      confidence: .low, cost: .failed(.exchange),
      says: "; what the client did is not in the capture."),
    .silent(
      "chunked/missing-last-chunk", "The client was not captured; the server's FIN acknowledges what can be its FIN.",
      "< \"\(C.chunks)5\\r\\nhello\\r\\n\" ack=80\n+5s\n< \"5\\r\\nhello\\r\\n\" ack=80\n+5s\n< FIN ack=81\n"),
    .silent(
      "chunked/missing-last-chunk", "The client leaves; its FIN is not in the capture.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#, "> FIN !lost", "< FIN", "> ACK")),
    .silent(
      "chunked/missing-last-chunk", "The client leaves; its FIN stands behind the server's in the capture.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#, "> FIN !lost", "< FIN", "> FIN @36", "> ACK")),
    .fires(
      "chunked/missing-last-chunk", "The stream was open when the capture began.",
      "== 10.0.0.1:40000 10.0.0.2:80\n< \"b\\r\\ndata: one\\n\\n\\r\\n\"\n> ACK\n+500ms\n< \"b\\r\\ndata: one\\n\\n\\r\\n\" ①\n> ACK\n+5s\n< FIN ②\n> FIN\n",
      at: [1, 2], .toClient, confidence: .medium, cost: .failed(.exchange),
      says: "closed after 22 B of a chunked body since the capture began, between two chunks"),
    .silent(
      "chunked/missing-last-chunk", "The client leaves an endless stream.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#, "> FIN", "< FIN", "> ACK")),
    .silent(
      "chunked/missing-last-chunk", "The client leaves, and the server resets what remains.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#, "> FIN", "+10ms", "< RST")),
    .silent(
      "chunked/missing-last-chunk", "The last chunk's line came; only the empty line is missing.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\n""#, "< FIN")),
    .silent(
      "chunked/missing-last-chunk", "The end was sent, and not captured.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#, #"< "0\r\n\r\n" !lost"#, "< FIN", "> ACK")),
    .silent(
      "chunked/missing-last-chunk", "The capture ends in the middle.", C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#)),
  ]

  private static let incomplete: [RuleRow] = [
    .fires(
      "chunked/terminator-incomplete", "The client waits for the empty line until it gives up.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\n" ①"#, "> ACK", "+10s", "> FIN ②", "< FIN"), at: [1, 2], .toClient,
      cost: .failed(.exchange), says: "never came; the client closed 10.002 s later"),
    .fires(
      "chunked/terminator-incomplete", "The empty line comes a second late.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\n" ①"#, "+1s", #"< "\r\n" ②"#), at: [1, 2], .toClient,
      cost: .delay(nanoseconds: 1_001_000_000)),
    .fires(
      "chunked/terminator-incomplete", "The next response begins at once.",
      C.get(
        #"< "\#(C.chunks)5\r\nhello\r\n0\r\n" ①"#, #"> "GET /b HTTP/1.1\r\nHost: h.example\r\n\r\n""#,
        #"< "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" ②"#), at: [1, 2], .toClient, says: "the next message begins"),
    .silent(
      "chunked/terminator-incomplete", "The empty line comes in a packet of its own.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\n""#, "+50ms", #"< "\r\n""#)),
    .silent(
      "chunked/terminator-incomplete", "Between two chunks nothing of the end is there.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#, "+10s", "> FIN", "< FIN")),
  ]

  private static let late: [RuleRow] = [
    .fires(
      "chunked/terminator-late", "The body is there at once, and its end a second later.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n" ①"#, "> ACK", "+1s", #"< "0\r\n\r\n" ②"#), at: [1, 2], .toClient,
      says: "its end came 1.002 s after the last data."),
    .fires(
      "chunked/terminator-late", "The end waits for the acknowledgement of the data.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n" ①"#, "+200ms", "> ACK ②", #"< "0\r\n\r\n" ③"#), at: [1, 2, 3], .toClient,
      cost: .delay(nanoseconds: 202_000_000), says: "had been acknowledged"),
    .fires(
      "chunked/terminator-late", "The acknowledgement was delayed, and the end came long after it: nobody held it.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n" ①"#, "+40ms", "> ACK", "+3s", #"< "0\r\n\r\n" ②"#), at: [1, 2],
      .toClient),
    .silent(
      "chunked/terminator-late", "A stream that drips may have waited for more.",
      C.get(
        #"< "\#(C.chunks)5\r\nhello\r\n""#, "+1s", #"< "5\r\nhello\r\n""#, "+1s", #"< "0\r\n\r\n""#)),
    .silent(
      "chunked/terminator-late", "An event stream ends when it ends.",
      C.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n""#,
        "+1s", #"< "0\r\n\r\n""#)),
    .silent(
      "chunked/terminator-late", "The end follows in a packet of its own.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n""#, "> ACK", "+50ms", #"< "0\r\n\r\n""#)),
  ]

  private static let trailers: [RuleRow] = [
    .fires(
      "chunked/trailers-present", "A checksum behind the body.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n" ①"#), at: [1], .toClient,
      says: "(X-Sum); the request did not ask"),
    .silent("chunked/trailers-present", "No field before the empty line.", C.get(#"< "\#(C.chunks)0\r\n\r\n""#)),
    .fires(
      "chunked/trailer-forbidden", "A cookie behind the body.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\nX-Sum: 1\r\n" "#, #"< "Set-Cookie: a=b\r\n\r\n" ①"#), at: [1],
      .toClient,
      says: "Set-Cookie"),
    .silent(
      "chunked/trailer-forbidden", "A checksum may stand there.",
      C.get(#"< "\#(C.chunks)5\r\nhello\r\n0\r\nX-Content-Length-Sum: 1\r\n\r\n""#)),
  ]
}

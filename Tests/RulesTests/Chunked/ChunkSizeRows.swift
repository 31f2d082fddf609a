import Events

/// Rows of sizes that are wrong.
enum ChunkSizeRows {
  private typealias C = ChunkedRows

  private static func chunks(_ text: String) -> String { #"< "\#(C.chunks)\#(text)" ①"# }
  private static let apple = "Chat/2.1 CFNetwork/1568.100.1 Darwin/24.0.0"

  static let rows: [RuleRow] = digits + blanks + lengths

  private static let digits: [RuleRow] = [
    .fires(
      "chunked/size-bad-digits", "A prefix.", C.get(chunks(#"0x5\r\nhello\r\n0\r\n\r\n"#)), at: [1], .toClient),
    .fires(
      "chunked/size-bad-digits", "A negative size.", C.get(chunks(#"-5\r\nhello\r\n0\r\n\r\n"#)), at: [1], .toClient,
      cost: .failed(.exchange), says: "not a hexadecimal number"),
    .fires(
      "chunked/size-bad-digits", "Content follows the second chunk.",
      C.get(chunks(#"5\r\nhello\r\n"#), #"< "5\r\nhello\r\nsome text\r\n" ②"#, "< FIN"), at: [2], .toClient,
      cost: .failed(.exchange), says: "after 2 chunks"),
    .fires(
      "chunked/size-bad-digits", "The application fails, and its server answers with 500 inside the body.",
      C.get(chunks(#"5\r\nhello\r\n"#), #"< "HTTP/1.1 500 Internal Server Error\r\n\r\n" ②"#, "< FIN"), at: [2],
      .toClient, cost: .failed(.exchange), says: "the head of another response stands inside the body"),
    .silent("chunked/size-bad-digits", "Capital digits.", C.get(chunks(#"A\r\nhellohello\r\n0\r\n\r\n"#))),
    .silent(
      "chunked/size-bad-digits", "No size at all is a body that is not chunked.", C.get(chunks(#"hello\r\n"#), "< FIN")),
    .fires(
      "chunked/size-empty", "A line end too many.", C.get(chunks(#"5\r\nhello\r\n\r\n0\r\n\r\n"#)), at: [1], .toClient,
      cost: .failed(.exchange), says: "chunk 2"),
    .silent("chunked/size-empty", "An empty line ends the body.", C.get(chunks(#"5\r\nhello\r\n0\r\n\r\n"#))),
    .fires(
      "chunked/size-overflow", "More than 64 bits.",
      C.post(C.chunked, #"> "10000000000000005\r\nhello" ③"#, C.refused("400 Bad Request")), at: [3, 2], .toServer,
      cost: .failed(.exchange)),
    .fires(
      "chunked/size-overflow", "More than 63 bits.", C.get(chunks(#"ffffffffffffffff\r\nhello"#)), at: [1], .toClient),
    .silent(
      "chunked/size-overflow", "A large size that fits.", C.get(chunks(#"7fffffffffffffff\r\nhello"#))),
  ]

  private static let blanks: [RuleRow] = [
    .fires(
      "chunked/size-trailing-ws", "An iPhone gives up at the first size line.",
      C.get(chunks(#"5  \r\nhello\r\n"#), "> FIN ②", #"< "5  \r\nworld\r\n""#, "> RST", agent: apple), at: [9, 1, 2],
      .toClient,
      confidence: .medium, cost: .failed(.exchange), count: 2, says: "closed before the end"),
    .fires(
      "chunked/size-trailing-ws", "Nobody minds.", C.get(chunks(#"5 \r\nhello\r\n2\t\r\nyo\r\n0\r\n\r\n"#)), at: [1],
      .toClient, count: 2),
    .fires(
      "chunked/size-trailing-ws", "curl leaves an endless stream: that is no consequence.",
      C.get(chunks(#"5 \r\nhello\r\n"#), "> FIN", "< FIN", agent: "curl/8.5.0"), at: [1], .toClient),
    .silent(
      "chunked/size-trailing-ws", "A blank before an extension is allowed.",
      C.get(chunks(#"5 ;q=1\r\nhello\r\n0\r\n\r\n"#))),
  ]

  private static let lengths: [RuleRow] = [
    .fires(
      "chunked/data-length-mismatch", "Characters were counted: two umlauts make two bytes more.",
      C.get(
        #"< "\#(C.chunks)" "#, #"< "7\r\nGr\xc3\xbc\xc3\x9fe!\n\r\n" ①"#, #"< "5\r\nhello\r\n0\r\n\r\n" ②"#),
      at: [1, 1],
      .toClient, cost: .failed(.exchange), says: "2 B more stand before the next size, as many as"),
    .fires(
      "chunked/data-length-mismatch", "A size too small by three.",
      C.get(#"< "\#(C.chunks)" "#, #"< "2\r\nhello\r\n0\r\n\r\n" ①"#), at: [1, 1], .toClient, cost: .failed(.exchange),
      says: "3 B more stand before the next size."),
    .silent(
      "chunked/data-length-mismatch", "Bytes were counted.",
      C.get(#"< "\#(C.chunks)9\r\nGr\xc3\xbc\xc3\x9fe!\n\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/data-length-mismatch", "LF alone behind the data is another matter.",
      C.get(#"< "\#(C.chunks)5\r\nhello\n0\r\n\r\n""#)),
    .silent(
      "chunked/data-length-mismatch", "The capture lacks a packet.",
      C.get(#"< "\#(C.chunks)5\r\nhe""#, #"< "ll" !lost"#, #"< "o\r\n0\r\n\r\n""#, "> ACK")),
  ]
}

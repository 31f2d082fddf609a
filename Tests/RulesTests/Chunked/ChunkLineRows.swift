import Events

/// Rows of lines around chunks that were forgiven.
enum ChunkLineRows {
  private typealias C = ChunkedRows

  private static func chunks(_ text: String) -> String { #"< "\#(C.chunks)\#(text)" ①"# }

  static let rows: [RuleRow] = [
    .fires(
      "chunked/size-leading-ws", "A blank before the size.", C.get(chunks(#" 5\r\nhello\r\n0\r\n\r\n"#)), at: [1],
      .toClient),
    .silent(
      "chunked/size-leading-ws", "A blank behind the size.", C.get(chunks(#"5 \r\nhello\r\n0\r\n\r\n"#))),
    .fires(
      "chunked/size-leading-zeros", "Sizes of fixed width.",
      C.get(chunks(#"0005\r\nhello\r\n0005\r\nworld\r\n0\r\n\r\n"#)), at: [1], .toClient, count: 2),
    .silent("chunked/size-leading-zeros", "Zero is written as zero.", C.get(chunks(#"5\r\nhello\r\n0\r\n\r\n"#))),
    .fires(
      "chunked/ext-present", "An extension.", C.get(chunks(#"5;q=1\r\nhello\r\n0\r\n\r\n"#)), at: [1], .toClient),
    .silent(
      "chunked/ext-present", "A semicolon in the data.", C.get(chunks(#"5\r\nhel;o\r\n0\r\n\r\n"#))),
    .fires(
      "chunked/ext-malformed", "A quote that is never closed.", C.get(chunks(#"5;q="1\r\nhello\r\n0\r\n\r\n"#.quoted)),
      at: [1], .toClient),
    .silent(
      "chunked/ext-malformed", "A quoted value with a semicolon inside.",
      C.get(chunks(#"5;q="a;b"\r\nhello\r\n0\r\n\r\n"#.quoted))),
    .fires(
      "chunked/bare-lf", "Every line ends in LF.", C.get(chunks(#"5\nhello\n0\r\n\r\n"#)), at: [1], .toClient,
      count: 2),
    .fires(
      "chunked/bare-lf", "A request of that kind is refused.",
      C.post(C.chunked, #"> "5\nhello\r\n0\r\n\r\n" ③"#, C.refused("400 Bad Request")), at: [3, 2], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .silent(
      "chunked/bare-lf", "Lines of the head end in LF; that is for others to judge.",
      C.get(#"< "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n""#)),
    .silent("chunked/bare-lf", "LF in the data.", C.get(chunks(#"5\r\nhell\n\r\n0\r\n\r\n"#))),
    .fires(
      "chunked/bare-cr", "CR alone behind the size.", C.get(chunks(#"5\rhello\r\n0\r\n\r\n"#)), at: [1], .toClient,
      confidence: .medium, cost: .failed(.exchange)),
    .fires(
      "chunked/bare-cr", "One CR too many behind each size.",
      C.get(chunks(#"5\r\r\nhello\r\n5\r\r\nworld\r\n0\r\n\r\n"#)), at: [1], .toClient, confidence: .medium,
      cost: .failed(.exchange), count: 2),
    .silent(
      "chunked/data-length-mismatch", "One CR too many behind each size: the count is right.",
      C.get(chunks(#"5\r\r\nhello\r\n5\r\r\nworld\r\n0\r\n\r\n"#))),
    .silent("chunked/bare-cr", "Data that begins with CR.", C.get(chunks(#"3\r\n\rhe\r\n0\r\n\r\n"#))),
    .fires(
      "chunked/size-bad-digits", "Something short behind a blank behind each size.",
      C.get(chunks(#"5 x\r\nhello\r\n5 x\r\nworld\r\n0\r\n\r\n"#)), at: [1], .toClient, cost: .failed(.exchange),
      says: "not a hexadecimal number"),
    .silent(
      "chunked/body-not-chunked", "Something short behind a blank behind each size.",
      C.get(chunks(#"5 x\r\nhello\r\n5 x\r\nworld\r\n0\r\n\r\n"#))),
    .silent(
      "chunked/size-bad-digits", "A text whose first word is a hexadecimal digit.",
      C.get(chunks(#"a dog\r\nand a cat that sit in the sun\r\n"#))),
    .fires(
      "chunked/body-not-chunked", "A text whose first word is a hexadecimal digit.",
      C.get(#"< "\#(C.chunks)a dog\r\nand a cat that sit in the sun\r\n" ①"#), at: [1, 1], .toClient,
      cost: .failed(.exchange)),
    .silent(
      "chunked/missing-last-chunk", "A size that cannot be read: the last chunk may stand behind it.",
      C.get(chunks(#"5\r\nhello\r\nzz\r\nworld\r\n"#), "< FIN", "> FIN")),
    .silent("chunked/bare-cr", "CR in the data.", C.get(chunks(#"5\r\nhell\r\r\n0\r\n\r\n"#))),
  ]
}

extension String {
  /// With its quotes escaped, as they stand inside a payload.
  var quoted: String { split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"") }
}

import Events

/// Rows of uploads of Foundation's URLSession on Linux and Windows.
enum UploadEndRows {
  private typealias C = ChunkedRows
  private static let early: RuleID = "chunked/empty-upload-early-end"
  private static let stall: RuleID = "chunked/upload-stall-64k"
  private static let agent = #"User-Agent: up (unknown version) curl/8.5.0\r\n"#

  static let rows: [RuleRow] = [
    .fires(
      early, "The stream had no bytes yet, and the body is over.",
      C.post(agent + C.chunked, #"> "0\r\n\r\n" ②"#, C.empty200), at: [1, 2], .toServer, cost: .failed(.exchange),
      says: "with 0 B of body"),
    .fires(
      early, "The app tries again: two short uploads of the same kind.",
      C.post(
        agent + C.chunked, C.body, C.empty200,
        #"> "POST /up HTTP/1.1\r\nHost: h.example\r\n\#(agent)\#(C.chunked)\r\n" ②"#, C.body + " ③", C.empty200),
      at: [2, 3], .toServer),
    .silent(early, "One short upload may be meant so.", C.post(agent + C.chunked, C.body, C.empty200)),
    .silent(
      early, "curl itself uploads nothing.",
      C.post(#"User-Agent: curl/8.5.0\r\n"# + C.chunked, #"> "0\r\n\r\n""#, C.empty200)),
    .silent(
      early, "The body is empty after a second of waiting.",
      C.post(agent + C.chunked, "+1s", #"> "0\r\n\r\n""#, C.empty200)),
    .fires(
      stall, "Nothing comes after 64 KiB, and the server closes a minute later.",
      C.post(agent + C.chunked, #"> "20000\r\n" "#, "> len=32768", "> len=32768 ②", "< ACK", "+60s", "< RST ③"),
      at: [1, 2, 3],
      .toServer, cost: .failed(.exchange), says: "stopped after 65,536 B"),
    .silent(
      stall, "The upload stops elsewhere.",
      C.post(agent + C.chunked, #"> "20000\r\n" "#, "> len=30000", "< ACK", "+60s", "< RST")),
  ]
}

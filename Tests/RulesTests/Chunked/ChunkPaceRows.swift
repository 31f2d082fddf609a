import Events

/// Rows of how chunks are written to the wire.
enum ChunkPaceRows {
  private typealias C = ChunkedRows

  static let rows: [RuleRow] = splitting + tiny + nagle + events

  private static func pieces(_ count: Int, _ lines: String) -> String {
    String(repeating: lines + "\n", count: count)
  }

  private static let splitting: [RuleRow] = [
    .fires(
      "chunked/write-splitting", "Three writes for each of four chunks.",
      C.get(
        #"< "\#(C.chunks)""#, #"< "20\r\n" ①"#, "< len=32 ②", #"< "\r\n" ③"#,
        pieces(3, "< \"20\\r\\n\"\n< len=32\n< \"\\r\\n\""), #"< "0\r\n\r\n""#), at: [1, 2, 3], .toClient, count: 4,
      says: "4 of 4 chunks in pieces"),
    .silent(
      "chunked/write-splitting", "Three chunks are too few to tell.",
      C.get(#"< "\#(C.chunks)""#, pieces(3, "< \"20\\r\\n\"\n< len=32\n< \"\\r\\n\""), #"< "0\r\n\r\n""#)),
    .silent(
      "chunked/write-splitting", "Only the data needs several segments.",
      C.get(
        #"< "\#(C.chunks)""#, pieces(5, "< \"40\\r\\n\" len=32\n< len=32 \"\\r\\n\""), #"< "0\r\n\r\n""#)),
  ]

  private static let tiny: [RuleRow] = [
    .fires(
      "chunked/tiny-chunks", "Sixty chunks of a word each.",
      C.get(
        #"< "\#(C.chunks)5\r\nhello\r\n" ①"#, pieces(58, #"< "5\r\nhello\r\n""#), #"< "5\r\nhello\r\n" ②"#,
        #"< "0\r\n\r\n""#), at: [1, 2], .toClient, says: "60 of 60 chunks hold less than 32 B; framing is 50 %"),
    .silent(
      "chunked/tiny-chunks", "Forty are not many.",
      C.get(#"< "\#(C.chunks)""#, pieces(40, #"< "5\r\nhello\r\n""#), #"< "0\r\n\r\n""#)),
    .silent(
      "chunked/tiny-chunks", "Sixty of 40 bytes.",
      C.get(#"< "\#(C.chunks)""#, pieces(60, "< \"28\\r\\n\" len=40 \"\\r\\n\""), #"< "0\r\n\r\n""#)),
  ]

  /// Of three chunks the first is lost and sent again; the second waits for it, and so does its acknowledgement.
  private static func overtaken(at offset: Int) -> String {
    "< \"5\\r\\nhello\\r\\n\" @\(offset + 10)\n> ACK ack=\(offset)\n+60ms\n< \"5\\r\\nhello\\r\\n\" @\(offset)\n"
      + "> ACK ack=\(offset + 20)\n< \"5\\r\\nhello\\r\\n\" @\(offset + 20)\n> ACK"
  }

  private static func lost(at offset: Int) -> String {
    let chunk = "< \"5\\r\\nhello\\r\\n\""
    return "\(chunk)\n\(chunk)\n> ACK ack=\(offset)\n+60ms\n\(chunk) @\(offset)\n> ACK\n\(chunk)\n> ACK"
  }

  private static let nagle: [RuleRow] = [
    .silent(
      "chunked/nagle-stall", "The first of two chunks is lost behind the capture point, and sent again 60 ms later.",
      C.get(
        #"< "\#(C.chunks)""#, "> ACK", lost(at: 71), lost(at: 101), lost(at: 131), lost(at: 161),
        #"< "0\r\n\r\n""#)),
    .silent(
      "chunked/nagle-stall", "Chunks overtake others, whose copies come 60 ms later.",
      C.get(
        #"< "\#(C.chunks)""#, "> ACK", overtaken(at: 71), overtaken(at: 101), overtaken(at: 131), overtaken(at: 161),
        #"< "0\r\n\r\n" @191"#)),
    .fires(
      "chunked/nagle-stall", "Head and chunks wait for acknowledgements that come 40 ms late.",
      C.get(
        #"< "\#(C.chunks)" ①"#, "+40ms", "> ACK ②", #"< "5\r\nhello\r\n" ③"#, "+40ms", "> ACK",
        #"< "5\r\nhello\r\n" ④"#, "+40ms", "> ACK", #"< "0\r\n\r\n" ⑤"#), at: [1, 2, 3, 4, 5], .toClient,
      cost: .delay(nanoseconds: 126_000_000), count: 3, says: "42.0 ms each"),
    .silent(
      "chunked/nagle-stall", "Segments of 1,360 B are full where the sender sends no longer ones.",
      C.get(
        #"< "\#(C.chunks)2a80\r\n" len=1270"#,
        pieces(7, "+40ms\n> ACK\n< len=1360"), #"< len=90 "\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/nagle-stall", "The acknowledgements are no later than the way to the client and back.",
      C.get(
        #"< "\#(C.chunks)""#, "+40ms", "> ACK", #"< "5\r\nhello\r\n""#, "+40ms", "> ACK", #"< "5\r\nhello\r\n""#,
        "+40ms",
        "> ACK", #"< "0\r\n\r\n""#
      ).replacing("< SYN ACK\n> ACK", with: "< SYN ACK\n+40ms\n> ACK")),
    .silent(
      "chunked/nagle-stall", "Two are a coincidence.",
      C.get(
        #"< "\#(C.chunks)""#, "+40ms", "> ACK", #"< "5\r\nhello\r\n""#, "+40ms", "> ACK", #"< "0\r\n\r\n""#)),
    .silent(
      "chunked/nagle-stall", "The chunks come at a steady pace, whatever was acknowledged.",
      C.get(
        #"< "\#(C.chunks)""#, pieces(6, "+40ms\n> ACK\n+60ms\n< \"5\\r\\nhello\\r\\n\""), #"< "0\r\n\r\n""#)),
    .silent(
      "chunked/nagle-stall", "The chunks follow at once; their acknowledgement is late and nobody waits for it.",
      C.get(
        #"< "\#(C.chunks)""#, pieces(6, "< \"5\\r\\nhello\\r\\n\"\n< \"5\\r\\nhello\\r\\n\"\n+40ms\n> ACK\n+50ms"),
        #"< "0\r\n\r\n""#)),
  ]

  private static let stream =
    #"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"#

  private static let events: [RuleRow] = [
    .fires(
      "chunked/event-split-across-chunks", "An event's blank line comes 300 ms after it.",
      C.get(#"< "\#(stream)8\r\ndata: 1\n\r\n" ①"#, "+300ms", #"< "1\r\n\n\r\n0\r\n\r\n" ②"#), at: [1, 2], .toClient,
      says: "0.301 s later"),
    .silent(
      "chunked/event-split-across-chunks", "Each chunk is an event.",
      C.get(#"< "\#(stream)9\r\ndata: 1\n\n\r\n""#, "+300ms", #"< "9\r\ndata: 2\n\n\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/event-split-across-chunks", "Two chunks of an event come together.",
      C.get(#"< "\#(stream)8\r\ndata: 1\n\r\n""#, #"< "1\r\n\n\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/event-split-across-chunks", "Each chunk is an event, compressed.",
      C.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n""#,
        #"< "19\r\n" x"1f8b08000000000002034a492c49b45230e4e202000000ffff" "\r\n""#, "+300ms",
        #"< "c\r\n" x"4a01338cb8b800000000ffff" "\r\na\r\n" x"0300062d008f12000000" "\r\n0\r\n\r\n""#)),
    .silent(
      "chunked/event-split-across-chunks", "A line of JSON in each chunk.",
      C.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n""#,
        "+300ms", #"< "3\r\n{}\n\r\n0\r\n\r\n""#)),
  ]
}

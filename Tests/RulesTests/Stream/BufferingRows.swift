import Events

enum BufferingRows {
  private typealias S = SSERows
  private static let lines =
    #"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\n\r\n"#
  private static let known =
    #"HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nCache-Control: no-store\r\n"#
  private static let gzip =
    #"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nContent-Encoding: gzip\r\n\r\n"#

  static let rows: [RuleRow] = held + blocks + compression + ends + heads

  private static let held: [RuleRow] = [
    .fires(
      "stream/buffered-until-end", "Three lines of JSON in one packet, six seconds after the request.",
      S.get("+6s", #"< "\#(lines)6\r\n1\n2\n3\n\r\n0\r\n\r\n" ②"#), at: [1, 2, 2], .toClient,
      confidence: .low, cost: .delay(nanoseconds: 6_001_000_000),
      says: "3 lines came in one packet, 6.001 s after the request"),
    .fires(
      "stream/buffered-until-end", "Its length was known, and nobody is in sight: perhaps a slow query.",
      S.get("+6s", #"< "\#(known)Content-Length: 6\r\n\r\n1\n2\n3\n" ②"#), at: [1, 2, 2], .toClient, confidence: .low,
      says: "3 lines came in one packet"),
    .fires(
      "stream/buffered-until-end", "Its length was known, and a proxy is in sight.",
      S.get("+6s", #"< "\#(known)Server: nginx\r\nContent-Length: 6\r\n\r\n1\n2\n3\n" ②"#), at: [1, 2, 2, 2], .toClient,
      confidence: .low, cost: .delay(nanoseconds: 6_001_000_000), says: "likely nginx"),
    .fires(
      "stream/buffered-until-end", "Six lines in one packet after a second: lint, because a query may take a second.",
      S.get("+1s", #"< "\#(lines)c\r\n1\n2\n3\n4\n5\n6\n\r\n0\r\n\r\n" ②"#), at: [1, 2, 2], .toClient, confidence: .low,
      says: "6 lines came in one packet, 1.001 s after the request"),
    .silent(
      "stream/buffered-until-end", "Three lines after a second.",
      S.get("+1s", #"< "\#(lines)6\r\n1\n2\n3\n\r\n0\r\n\r\n""#)),
    .silent(
      "stream/buffered-until-end", "Six lines after a second, and their length was known.",
      S.get("+1s", #"< "\#(known)Content-Length: 12\r\n\r\n1\n2\n3\n4\n5\n6\n""#)),
    .silent(
      "stream/buffered-until-end", "Six lines, 30 ms apart, after a second.",
      S.get(
        "+1s", #"< "\#(lines)2\r\n1\n\r\n""#,
        (2...6).map { "+30ms\n" + #"< "2\r\n\#($0)\n\r\n""# }.joined(separator: "\n"),
        #"< "0\r\n\r\n""#)),
    .silent(
      "stream/buffered-until-end", "A line a second.",
      S.get("+6s", #"< "\#(lines)2\r\n1\n\r\n""#, "+1s", #"< "2\r\n2\n\r\n0\r\n\r\n""#)),
    .silent(
      "stream/buffered-until-end", "A page is no stream, however late it comes.",
      S.get(
        "+6s",
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n1\n2\n3\n\r\n0\r\n\r\n""#
      )),
    .silent(
      "stream/buffered-until-end", "The request took six seconds, not the response.",
      handshake + #"> "POST /events HTTP/1.1\r\nHost: h.example\r\nContent-Length: 2\r\n\r\n1""# + "\n+6s\n> \"2\"\n"
        + #"< "\#(lines)6\r\n1\n2\n3\n\r\n0\r\n\r\n""# + "\n"),
  ]

  /// A burst of 4,096 bytes that ends inside an event.
  private static func block(_ marker: String = "") -> String { "< \"\\n\\ndata: \" len=4088 \(marker)" }

  private static let blocks: [RuleRow] = [
    .fires(
      "stream/block-buffered", "Bursts of 4 KiB that cut events.",
      S.get(
        #"< "\#(S.stream)data: " len=4090 ②"#, "+1s", block("③"), "+1s", block(), "+1s", #"< "\n\n""#, "< FIN"),
      at: [1, 2, 3], .toClient, cost: .delay(nanoseconds: 1_001_000_000), says: "bursts of 4,096 B"),
    .silent(
      "stream/block-buffered", "Bursts of 4 KiB that end where events do.",
      S.get(
        #"< "\#(S.stream)data: " len=4088 "\n\n""#, "+1s", #"< "data: " len=4088 "\n\n""#, "+1s",
        #"< "data: " len=4088 "\n\n""#, "< FIN")),
    .silent(
      "stream/block-buffered", "Bursts of any size that cut events.",
      S.get(
        #"< "\#(S.stream)data: " len=5000"#, "+1s", #"< "\n\ndata: " len=4400"#, "+1s", #"< "\n\ndata: " len=4700"#,
        "+1s", #"< "\n\n""#, "< FIN")),
  ]

  private static let compression: [RuleRow] = [
    .fires(
      "stream/compression-on-stream", "The compressor stops in the middle of an event.",
      S.get(
        #"< "\#(gzip)" x"\#(CompressedBodies.held[0])" ②"#, "+2s", #"< x"\#(CompressedBodies.held[1])" ③"#, "< FIN"),
      at: [1, 2, 2, 3], .toClient, cost: .delay(nanoseconds: 2_001_000_000), says: "stopped in the middle of an event"),
    .fires(
      "stream/compression-on-stream", "All of it at the end.",
      S.get(
        #"< "\#(gzip)" ②"#, "+5s", #"< x"\#(CompressedBodies.held[0])" ③"#, #"< x"\#(CompressedBodies.held[1])" ④"#,
        "< FIN"), at: [1, 2, 3, 4], .toClient, cost: .delay(nanoseconds: 5_002_000_000), says: "It is compressed."),
    .fires(
      "stream/compression-on-stream", "Its beginning is flushed, and six events come at once four seconds later.",
      S.get(
        #"< "\#(gzip)" x"\#(CompressedBodies.begunAndHeld[0])" ②"#, "+4s",
        #"< x"\#(CompressedBodies.begunAndHeld[1])" ③"#, "< FIN"), at: [1, 2, 2, 3], .toClient,
      cost: .delay(nanoseconds: 4_001_000_000)),
    .silent(
      "stream/compression-on-stream", "Its beginning is flushed, long before the first event.",
      S.get(
        #"< "\#(gzip)" x"\#(CompressedBodies.begun[0])""#, "+3s", #"< x"\#(CompressedBodies.begun[1])""#, "+1s",
        #"< x"\#(CompressedBodies.begun[2])""#, "+1s", #"< x"\#(CompressedBodies.begun[3])""#, "+1s",
        #"< x"\#(CompressedBodies.begun[4])""#, #"< x"\#(CompressedBodies.begun[5])""#, "< FIN")),
    .silent(
      "stream/compression-on-stream", "Flushed after each event.",
      S.get(
        #"< "\#(gzip)" x"\#(CompressedBodies.flushed[0])""#, "+1s", #"< x"\#(CompressedBodies.flushed[1])""#, "+1s",
        #"< x"\#(CompressedBodies.flushed[2])""#, "+1s", #"< x"\#(CompressedBodies.flushed[3])""#,
        #"< x"\#(CompressedBodies.flushed[4])""#, "< FIN")),
  ]

  private static let ends: [RuleRow] = [
    .fires(
      "stream/end-with-next", "The separator stands in front of each event.",
      S.get(
        #"< "\#(S.stream)data: a\n" ②"#, "+200ms", #"< "\ndata: b\n" ③"#, "+200ms", #"< "\ndata: c\n""#, "+200ms",
        #"< "\n""#, "< FIN"), at: [2, 3], .toClient, cost: .delay(nanoseconds: 201_000_000), count: 2,
      says: "2 events ended only with the next one"),
    .fires(
      "stream/end-with-next", "The line end of a chunk comes with the next size line.",
      S.get(
        #"< "\#(S.chunked)9\r\ndata: a\n\n" ②"#, "+200ms", #"< "\r\n9\r\ndata: b\n\n" ③"#, "+200ms",
        #"< "\r\n0\r\n\r\n""#), at: [2, 3], .toClient, count: 2, says: "2 chunks came only with the next"),
    .fires(
      "stream/end-with-next", "The separator and the next event come at once, in two segments.",
      S.get(
        #"< "\#(S.stream)data: a\n" ②"#, "+200ms", #"< "\n" ③"#, #"< "data: b\n" now"#, "+200ms", #"< "\n""#,
        #"< "data: c\n" now"#, "+200ms", #"< "\n""#, "< FIN"), at: [2, 3], .toClient,
      cost: .delay(nanoseconds: 201_000_000), count: 2, says: "2 events ended only with the next one"),
    .fires(
      "stream/end-with-next", "The line end of a chunk and the next size line come at once, in two segments.",
      S.get(
        #"< "\#(S.chunked)9\r\ndata: a\n\n" ②"#, "+200ms", #"< "\r\n" ③"#, #"< "9\r\ndata: b\n\n" now"#, "+200ms",
        #"< "\r\n""#, #"< "0\r\n\r\n" now"#), at: [2, 3], .toClient, count: 2, says: "2 chunks came only with the next"),
    .silent(
      "stream/end-with-next", "A late end comes alone.",
      S.get(
        #"< "\#(S.stream)data: a\n""#, "+200ms", #"< "\n""#, #"< "data: b\n""#, "+200ms", #"< "\n""#,
        #"< "data: c\n""#, "+200ms", #"< "\n""#, "< FIN")),
    .silent(
      "stream/end-with-next", "One event over two packets.",
      S.get(#"< "\#(S.stream)data: a\n""#, "+200ms", #"< "\ndata: b\n\n""#, "< FIN")),
  ]

  private static let heads: [RuleRow] = [
    .fires(
      "stream/http10-upstream", "nginx with its standard settings, and a header for logs.",
      handshake
        + #"> "GET /events HTTP/1.0\r\nHost: app\r\nX-Real-IP: 192.0.2.9\r\nConnection: close\r\n\r\n" ①"# + "\n"
        + #"< "\#(S.stream)data: a\n\n" ②"# + "\n< FIN\n", at: [1, 1, 2], .toServer,
      says: "requested this stream with HTTP/1.0"),
    .silent(
      "stream/http10-upstream", "An old client asks for itself.",
      handshake + #"> "GET /events HTTP/1.0\r\nHost: app\r\n\r\n""# + "\n" + #"< "\#(S.stream)data: a\n\n""#
        + "\n< FIN\n"),
    .silent(
      "stream/http10-upstream", "HTTP/1.1 and chunks.",
      handshake + #"> "GET /events HTTP/1.1\r\nHost: app\r\nX-Real-IP: 192.0.2.9\r\nConnection: close\r\n\r\n""# + "\n"
        + #"< "\#(S.chunked)9\r\ndata: a\n\n\r\n0\r\n\r\n""# + "\n< FIN\n"),
    .fires(
      "stream/length-known-but-dripped", "Twelve bytes in six seconds.",
      S.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 12\r\n\r\none\n" ②"#, "+3s", #"< "two\n""#,
        "+3s", #"< "six\n" ③"#, fields: ""), at: [2, 2, 3], .toClient, says: "12 B of announced length took 6.002 s"),
    .silent(
      "stream/length-known-but-dripped", "A download over a bad line.",
      S.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n" len=20000"#, "+3s", "< len=20000", "+3s", "< len=20000",
        fields: "")),
    .fires(
      "stream/cacheable", "No word about caches.",
      S.get(#"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n" ②"#, "< FIN"), at: [2],
      .toClient),
    .silent("stream/cacheable", "no-cache.", S.get(#"< "\#(S.stream)data: a\n\n""#, "< FIN")),
    .silent(
      "stream/cacheable", "Answers to POST are not kept.",
      S.get(
        #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: a\n\n""#, "< FIN",
        fields: #"Content-Length: 0\r\n"#, method: "POST")),
  ]
}

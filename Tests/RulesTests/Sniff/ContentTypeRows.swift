/// Types that are missing, say nothing, contradict each other, or were guessed.
enum ContentTypeRows {
  static let rows = missing + unknown + conflicting + compressed + guessed

  private static let drip = "> ACK\n+400ms\n< \"5\\r\\nworld\\r\\n\" ②\n> ACK\n< \"0\\r\\n\\r\\n\"\n"

  private static func chunked(_ fields: String) -> String {
    SniffRows.request(SniffRows.okhttp)
      + "< \"HTTP/1.1 200 OK\\r\\n\(fields)Transfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n\" ①\n"
  }

  private static func whole(_ fields: String, _ bytes: Int = 2) -> String {
    SniffRows.request(SniffRows.okhttp)
      + "< \"HTTP/1.1 200 OK\\r\\n\(fields)Content-Length: \(bytes)\\r\\n\\r\\n\" ①\n< len=\(bytes) ②\n> ACK\n"
  }

  private static let missing: [RuleRow] = [
    .fires(
      "sniff/missing-content-type", "a stream without a type", chunked("") + drip, at: [1, 2], .toClient,
      says: "has no type"),
    .fires(
      "sniff/missing-content-type", "a stream whose type is none", chunked("Content-Type: text/\\r\\n") + drip,
      at: [1, 2], .toClient, says: "its type is invalid"),
    .silent(
      "sniff/missing-content-type", "a stream with a type", chunked("Content-Type: text/event-stream\\r\\n") + drip),
    .silent(
      "sniff/missing-content-type", "no type, and all of it at once", chunked("") + "< \"0\\r\\n\\r\\n\"\n> ACK\n"),
    .silent(
      "sniff/missing-content-type", "a type that says nothing is another rule's",
      chunked("Content-Type: */*\\r\\n") + drip),
    .silent(
      "sniff/missing-content-type", "an announced length: a slow download",
      SniffRows.request(SniffRows.okhttp)
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\nhello\"\n> ACK\n+400ms\n< \"world\"\n> ACK\n"),
  ]

  private static let unknown: [RuleRow] = [
    .fires("sniff/unknown-content-type", "*/*", whole("Content-Type: */*\\r\\n"), at: [1], .toClient, says: "\"*/*\""),
    .fires(
      "sniff/unknown-content-type", "a type without a slash", whole("Content-Type: json\\r\\n"), at: [1], .toClient),
    .silent("sniff/unknown-content-type", "a type of somebody's own", whole("Content-Type: x/unknown\\r\\n")),
    .silent(
      "sniff/unknown-content-type", "no body to guess about",
      SniffRows.request(SniffRows.okhttp) + "< \"HTTP/1.1 204 No Content\\r\\nContent-Type: */*\\r\\n\\r\\n\"\n> ACK\n"),
  ]

  private static let conflicting: [RuleRow] = [
    .fires(
      "sniff/conflicting-content-type", "a framework's and a proxy's",
      whole("Content-Type: application/json\\r\\nContent-Type: text/html\\r\\n"), at: [1, 1], .toClient,
      says: "2 Content-Type fields"),
    .silent(
      "sniff/conflicting-content-type", "the same twice",
      whole("Content-Type: text/html\\r\\nContent-Type: Text/HTML\\r\\n")),
  ]

  private static let text = "Content-Type: text/plain\\r\\nContent-Encoding: gzip\\r\\n"

  private static let compressed: [RuleRow] = [
    .fires(
      "sniff/compressed-text-no-nosniff", "512 encoded bytes", whole(text, 512), at: [1, 1, 2], .toClient, says: "512 B"
    ),
    .silent("sniff/compressed-text-no-nosniff", "511 encoded bytes", whole(text, 511)),
    .silent(
      "sniff/compressed-text-no-nosniff", "nosniff", whole(text + "X-Content-Type-Options: nosniff\\r\\n", 512)),
    .silent(
      "sniff/compressed-text-no-nosniff", "another text type",
      whole("Content-Type: text/css\\r\\nContent-Encoding: gzip\\r\\n", 512)),
    .silent("sniff/compressed-text-no-nosniff", "not compressed", whole("Content-Type: text/plain\\r\\n", 512)),
  ]

  private static let date = "Date: Mon, 01 Jan 2024 00:00:00 GMT\\r\\n"
  private static let goType = "Content-Type: text/plain; charset=utf-8\\r\\n"

  private static let guessed: [RuleRow] = [
    .fires(
      "sniff/server-sniffed-type", "the type stands where Go's server puts its guess",
      chunked("Cache-Control: no-store\\r\\nX-Trace: 1\\r\\n" + date + goType) + drip, at: [1, 2], .toClient,
      says: "from its first write"),
    .silent(
      "sniff/server-sniffed-type", "the handler's own type stands among its fields",
      chunked("Cache-Control: no-store\\r\\n" + goType + "X-Trace: 1\\r\\n" + date) + drip),
    .silent(
      "sniff/server-sniffed-type", "a server that names itself", chunked("Server: own\\r\\n" + date + goType) + drip),
    .silent(
      "sniff/server-sniffed-type", "all of it at once", chunked(date + goType) + "< \"0\\r\\n\\r\\n\"\n> ACK\n"),
    .silent(
      "sniff/server-sniffed-type", "a text file",
      handshake + "> \"GET /notes.txt?x HTTP/1.1\\r\\nHost: im.example\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\n\(date)\(goType)Transfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n\"\n" + drip
    ),
  ]
}

import Citation
import Events
import RunSupport
import Support
import Testing

/// Which request a response answers, and which exchanges a conversation is told as. Every script runs through the whole
/// engine, so that holes come as the streams below tell them.
@Suite("Pairing of requests and responses")
struct PairingTests {
  private static let hello = "> SYN\n< SYN ACK\n> ACK\n"

  private static func get(_ path: String) -> String { "> \"GET /\(path) HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\"" }
  private static func ok(_ status: Int, _ body: String = "") -> String {
    "< \"HTTP/1.1 \(status) X\\r\\nContent-Length: \(body.utf8.count)\\r\\n\\r\\n\(body)\""
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let titles: [String]
  }

  static let rows: [Row] = [
    Row(
      testDescription: "one after the other",
      script: [get("a"), ok(200, "x"), get("b"), ok(404), get("c"), ok(200)].joined(separator: "\n"),
      titles: ["GET /a → 200", "GET /b → 404", "GET /c → 200"]),
    Row(
      testDescription: "pipelined",
      script: [get("a"), get("b"), get("c"), ok(201), ok(202), ok(203)].joined(separator: "\n"),
      titles: ["GET /a → 201", "GET /b → 202", "GET /c → 203"]),
    Row(
      testDescription: "interim responses belong to the exchange whose final response follows",
      script: [
        get("a"), "< \"HTTP/1.1 103 Early Hints\\r\\n\\r\\nHTTP/1.1 102 Processing\\r\\n\\r\\n\"", ok(200), get("b"),
        ok(204),
      ].joined(separator: "\n"),
      titles: ["GET /a → 200", "GET /b → 204"]),
    Row(
      testDescription: "a response without request is told alone",
      script: [ok(408)].joined(separator: "\n"), titles: ["(request not seen) → 408"]),
    Row(
      testDescription: "an answer to HEAD has no body, whatever its length says",
      script: [
        "> \"HEAD /a HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n\"",
        "< \"HTTP/1.1 200 X\\r\\nContent-Length: 500\\r\\n\\r\\n\"", get("b"), ok(201, "body"),
      ].joined(separator: "\n"),
      titles: ["HEAD /a → 200", "GET /b → 201"]),
    Row(
      testDescription: "a response in a hole: the next one answers the request that was sent before it",
      script: [get("a"), ok(200, "lost") + " !lost", "> ACK", get("b"), ok(201), get("c"), ok(202)].joined(
        separator: "\n"),
      titles: ["GET /a → response not captured", "GET /b → 201", "GET /c → 202"]),
    Row(
      testDescription: "a response in a hole that the next request acknowledges",
      script: [get("a"), ok(200, "lost") + " !lost", get("b"), ok(201), get("c"), ok(202)].joined(separator: "\n"),
      titles: ["GET /a → response not captured", "GET /b → 201", "GET /c → 202"]),
    Row(
      testDescription: "two responses in holes",
      script: [
        get("a"), ok(200, "lost") + " !lost", "> ACK", get("b"), ok(200, "lost") + " !lost", "> ACK", get("c"), ok(202),
      ].joined(separator: "\n"),
      titles: ["GET /a → response not captured", "GET /b → response not captured", "GET /c → 202"]),
    Row(
      testDescription: "behind a hole the body of a lost head, which no line's end ends",
      script: [
        get("a"), ok(200, "lost") + " !lost", "> ACK", get("b"), ok(201) + " !lost", "> ACK", "< \"{[1]\"", "> ACK",
        get("c"), ok(202),
      ].joined(separator: "\n"),
      titles: ["GET /a → response not captured", "GET /b → response not captured", "GET /c → 202"]),
    Row(
      testDescription: "a request in a hole: its response answers none that was sent later",
      script: [get("a") + " !lost", ok(200), get("b"), ok(201), get("c"), ok(202)].joined(separator: "\n"),
      titles: ["(request not seen) → 200", "GET /b → 201", "GET /c → 202"]),
    Row(
      testDescription: "a response that stands before its request and acknowledges it, each time",
      script: [
        ok(200, "x") + " ack=28", get("a") + " ack=0", "+1s", ok(404) + " ack=56", "< ACK",
      ].joined(separator: "\n") + "\n" + (0..<9).map { _ in "> ACK ack=38\n" }.joined() + get("b") + " ack=38",
      titles: ["GET /a → 200", "GET /b → 404"]),
    Row(
      testDescription: "the beginning of a response in a hole, and no other request: the rest answers nothing else",
      script: [
        get("a"), "< \"HTTP/1.1 103 Hint\\r\\n\\r\\n\" !lost", "> ACK", ok(200), get("b"), ok(201),
      ].joined(separator: "\n"),
      titles: ["GET /a → 200", "GET /b → 201"]),
    Row(
      testDescription: "a request that never ends is told with the response it had",
      script: [
        "> \"POST /up HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhello\\r\\n\"", ok(413),
        "< FIN", "> FIN",
      ].joined(separator: "\n"),
      titles: ["POST /up → 413"]),
  ]

  @Test("A conversation is told as these exchanges, once each.", arguments: rows)
  func exchanges(_ row: Row) async throws {
    let run = try await CaptureRun(Self.hello + row.script + "\n")
    #expect(run.exchanges.map(\.title).sorted() == row.titles.sorted())
    #expect(Set(run.exchanges.map(\.number)).count == row.titles.count)
  }

  @Test("Of one whose response the capture lacks, that is said.")
  func missing() async throws {
    let row = try #require(Self.rows.first { $0.testDescription.contains("a response in a hole") })
    let run = try await CaptureRun(Self.hello + row.script + "\n")
    #expect(run.exchanges.filter(\.isResponseMissing).map(\.title) == ["GET /a → response not captured"])
  }

  @Test("How far the request was when the answer came, and how bodies took turns.")
  func turns() async throws {
    let run = try await CaptureRun(
      Self.hello
        + """
        > "POST /d HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\none\\r\\n"
        < "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\nuno\\r\\n"
        > "3\\r\\ntwo\\r\\n"
        < "3\\r\\ndos\\r\\n"
        > "5\\r\\nthree\\r\\n0\\r\\n\\r\\n"
        < "4\\r\\ntres\\r\\n0\\r\\n\\r\\n"

        """)
    let exchange = try #require(run.exchanges.first)
    #expect(exchange.requestBytesAtResponse == 3)
    #expect(exchange.interleaving.responseRuns == 2 || exchange.interleaving.responseRuns == 3)
    #expect(exchange.interleaving.requestRuns == 2)
    #expect(exchange.request?.bodyBytes == 11)
    #expect(exchange.response?.bodyBytes == 10)
  }
}

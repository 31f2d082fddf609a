import Foundation
import Support
import Testing

@testable import App

@Suite("Assertions over a capture")
struct AssertionTests {
  /// Waits of 101, 200 and 1,000 ms; events after 250, 100 and 100 ms, a comment between the last two; a WebSocket that
  /// ends with 1002, and one that ends with 1000. Every packet comes 1 ms after the one before it, and what + says.
  private static let story = #"""
    == 10.0.0.1:1000 10.0.0.9:80
    > SYN
    < SYN ACK
    > ACK
    > "GET /v1/a HTTP/1.1\r\nHost: one.example\r\n\r\n"
    +100ms
    < "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    > "GET /v1/b HTTP/1.1\r\nHost: one.example\r\n\r\n"
    +199ms
    < "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    > "GET /v2/c HTTP/1.1\r\nHost: one.example\r\n\r\n"
    +999ms
    < "HTTP/1.1 500 KO\r\nContent-Length: 5\r\n\r\nhello"
    > FIN
    < FIN
    > ACK
    == 10.0.0.2:1000 10.0.0.9:80 +10s
    > SYN
    < SYN ACK
    > ACK
    > "GET /v1/e HTTP/1.1\r\nHost: two.example\r\n\r\n"
    < "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n"
    +249ms
    < "9\r\ndata: 2\n\n\r\n"
    +99ms
    < "9\r\ndata: 3\n\n\r\n"
    +49ms
    < "3\r\n:x\n\r\n"
    +49ms
    < "15\r\nevent: tick\ndata: 4\n\n\r\n0\r\n\r\n"
    > FIN
    < FIN
    > ACK
    == 10.0.0.3:1000 10.0.0.9:80 +20s
    \#(Scripts.talk)
    < x"81027b7d"
    +3s
    < x"81027b7d"
    > x"898000000001"
    +49ms
    < x"8a00"
    > x"88825bc15c2a582b"
    < x"880203ea"
    < FIN
    > FIN
    < ACK
    == 10.0.0.4:1000 10.0.0.9:80 +30s
    \#(Scripts.talk)
    > x"88825bc15c2a5829"
    < x"880203e8"
    < FIN
    > FIN
    < ACK
    """#

  private static func capture(_ scratch: Scratch, _ text: String = story) throws -> String {
    try scratch.captures(text, "story.pcap")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var verdict: String
    var observed: Double?
    var samples: Int
    /// Connection and exchange.
    var worst: String?
    var testDescription: String { text }

    init(_ text: String, _ verdict: String, _ observed: Double?, _ samples: Int, _ worst: String? = nil) {
      (self.text, self.verdict, self.observed, self.samples, self.worst) = (text, verdict, observed, samples, worst)
    }
  }

  private static let exchangeRows: [Row] = [
    Row("max(http.wait) <= 1s", "passed", 1_000_000_000, 6, "1.3"),
    Row("max(http.wait) < 1s", "failed", 1_000_000_000, 6, "1.3"),
    Row("max(http.wait) < 1000000001ns", "passed", 1_000_000_000, 6),
    Row(#"max(http.wait where path like "/v1/*") < 200ms"#, "failed", 200_000_000, 3, "1.2"),
    Row(#"max(http.wait where path like "/v1/*") <= 200ms"#, "passed", 200_000_000, 3),
    Row("min(http.wait) >= 1ms", "passed", 1_000_000, 6, "2.1"),
    Row("min(http.wait) > 1ms", "failed", 1_000_000, 6, "2.1"),
    Row(
      "mean(http.wait where client.ip == '10.0.0.1' and status == 2xx) == 150500us", "passed", 150_500_000, 2),
    Row("sum(http.wait where connection == 1) == 1301ms", "passed", 1_301_000_000, 3),
    Row("sum(http.wait where connection == 9) == 0", "passed", 0, 0),
    Row("p50(http.wait where connection == 1) == 200ms", "passed", 200_000_000, 3),
    Row("p50(http.wait where connection == 1) != 200ms", "failed", 200_000_000, 3),
    Row("p90(http.wait) < 1h", "inconclusive", 1_000_000_000, 6),
    Row("p90(http.wait) > 1h", "inconclusive", 1_000_000_000, 6),
    Row("mean(http.wait where status == 418) < 1s", "inconclusive", nil, 0),
    Row("count(http.requests where status == 5xx) == 0", "failed", 1, 1, "1.3"),
    Row("count(http.requests where status == 5xx) <= 1", "passed", 1, 1, "1.3"),
    Row("count(http.requests where retransmitted == 0 and host == 'one.example') == 3", "passed", 3, 3, "1.1"),
    Row("count(exchanges) == 6", "passed", 6, 6, "1.1"),
    Row("max(http.responseBytes where status == 2xx and connection == 1) == 5B", "passed", 5, 2),
    Row("max(http.total where connection == 1) == 1s", "passed", 1_000_000_000, 3, "1.3"),
    Row("max(http.firstBody where connection == 1) == 1s", "passed", 1_000_000_000, 3, "1.3"),
    Row("max(sse.firstEvent) == 1ms", "passed", 1_000_000, 1, "2.1"),
    Row("rate(http.requests) < 0.19", "failed", 0.199, 6), Row("rate(http.requests) < 0.2", "passed", 0.199, 6),
  ]

  private static let streamRows: [Row] = [
    Row("min(streams) >= 1", "passed", 1, 1), Row("min(streams) > 1", "failed", 1, 1),
    Row("count(streams where status == 500) == 0", "passed", 0, 0),
    Row("count(sse.events) == 4", "passed", 4, 4, "2.1"),
    Row("count(sse.events where event == 'tick') == 1", "passed", 1, 1),
    Row("count(sse.events where event == 'message' and path == '/v1/e') == 3", "passed", 3, 3),
    Row("max(sse.gap) <= 250ms", "passed", 250_000_000, 3, "2.1"),
    Row("max(sse.gap) < 250ms", "failed", 250_000_000, 3, "2.1"),
    Row("p50(sse.gap) == 100ms", "passed", 100_000_000, 3),
    Row("p99(sse.gap) < 1h", "inconclusive", 250_000_000, 3),
    Row("count(sse.gap where path like '/v2/*') == 0", "passed", 0, 0),
    Row("max(sse.gap where event == 'tick') == 100ms", "passed", 100_000_000, 1),
    Row("max(stream.gap) == 250ms", "passed", 250_000_000, 3), Row("count(chunk.gap) == 4", "passed", 4, 4),
    Row("min(chunk.gap where server.port == 80) == 50ms", "passed", 50_000_000, 4),
    Row("max(ndjson.gap) < 1s", "inconclusive", nil, 0),
    Row("max(ws.gap) == 3001ms", "passed", 3_001_000_000, 1, "3.1"),
    Row("max(ws.gap where path == '/talk' and direction == toClient) < 3001ms", "failed", 3_001_000_000, 1, "3.1"),
    Row("count(ws.gap where direction == toServer) == 0", "passed", 0, 0),
    Row("count(ws.messages where bytes == 2 and not binary) == 2", "passed", 2, 2),
    Row("count(ws.messages where close.code == 1000) == 0", "passed", 0, 0),
    Row("count(ws.messages where close.code == 1002) == 0", "failed", 2, 2, "3.1"),
  ]

  private static let connectionRows: [Row] = [
    Row("count(ws.close where code != 1000) == 0", "failed", 1, 1, "3."),
    Row("count(ws.close where code != 1000) <= 1", "passed", 1, 1, "3."),
    Row("count(ws.close where by == client) == 2", "passed", 2, 2), Row("count(websockets) == 2", "passed", 2, 2),
    Row("max(ws.rtt) <= 50ms", "passed", 50_000_000, 1, "3."),
    Row("max(ws.rtt) < 50ms", "failed", 50_000_000, 1), Row("mean(ws.rtt) < 50ms", "inconclusive", nil, 1),
    Row("mean(ws.rtt) < 60ms", "passed", nil, 1), Row("mean(ws.rtt) > 60ms", "failed", nil, 1),
    Row("max(connections) == 4", "passed", 4, 4), Row("count(connections where tls) == 0", "passed", 0, 0),
    Row("max(tcp.handshake) == 2ms", "passed", 2_000_000, 4), Row("sum(tcp.retransmitted) == 0", "passed", 0, 4),
    Row("max(tcp.missing where client.ip == '10.0.0.1') == 0", "passed", 0, 1),
    Row("max(tls.handshake) < 1s", "inconclusive", nil, 0),
    Row("count(findings where rule like 'nosuch/*') == 0", "passed", 0, 0),
    Row("count(findings where rule like 'ws/*') == 0", "failed", nil, -1),
    Row("capture.missing == 0", "passed", 0, 1), Row("capture.dropped == 0", "inconclusive", nil, 0),
    Row("capture.duration < 30s", "failed", nil, 1), Row("max(capture.duration) < 31s", "passed", nil, 1),
  ]

  @Test("Every figure is what the packets say.", arguments: exchangeRows + streamRows + connectionRows)
  func figure(_ row: Row) async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("--json", "--assert", row.text, try Self.capture(scratch))
    #expect(run.code == (row.verdict == "failed" ? .findings : .success), "\(run.errors)")
    let result = try #require((try run.result()["assertions"] as? [[String: Any]])?.first)
    #expect(result["assertion"] as? String == row.text)
    #expect(result["verdict"] as? String == row.verdict)
    if let observed = row.observed { #expect(result["observed"] as? Double == observed) }
    if row.samples >= 0 { #expect(result["samples"] as? Int == row.samples) }
    if let worst = row.worst {
      let place = try #require(result["worst"] as? [String: Any])
      let exchange = (place["exchange"] as? Int).map(String.init) ?? ""
      #expect("\(place["connection"] ?? "").\(exchange)" == worst)
      #expect((place["packet"] as? Int ?? 0) > 0)
    }
  }

  /// Ten bytes of credit for a stream of four messages: two of them wait for more for a second. A second stream is
  /// reset.
  private static let calls: String = {
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
    func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
    func literal(_ name: String, _ value: String) -> [UInt8] {
      [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    let type = literal("content-type", "application/grpc")
    let asked = [0x83, 0x86] + literal(":path", "/a.B/C") + literal(":authority", "h.example") + type
    let settings = frame(4, 0, 0, [0, 4, 0, 0, 0, 14])
    func message(_ byte: UInt8) -> [UInt8] { frame(0, 0, 1, [0, 0, 0, 0, 2, byte, byte]) }
    let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    return """
      == 10.0.0.1:40000 192.0.2.80:50051
      > SYN
      < SYN ACK
      > ACK
      > x"\(hex(preface + settings + frame(1, 4, 1, asked) + frame(0, 1, 1, [0, 0, 0, 0, 1, 9])))"
      < x"\(hex(frame(4, 0, 0, []) + frame(4, 1, 0, []) + frame(1, 4, 1, [0x88] + type)))"
      < x"\(hex(message(1)))"
      +200ms
      < x"\(hex(message(2)))"
      +1s
      > x"\(hex(frame(8, 0, 1, [0, 0, 0, 14])))"
      < x"\(hex(message(3)))"
      < x"\(hex(message(4) + frame(1, 5, 1, literal("grpc-status", "0"))))"
      > x"\(hex(frame(1, 5, 3, asked)))"
      < x"\(hex(frame(3, 0, 3, [0, 0, 0, 8])))"
      > FIN
      < FIN
      > ACK
      """
  }()

  @Test(
    "Messages of gRPC, resets of streams and the wait for credit can be asserted.",
    arguments: [
      Row("count(grpc.messages where direction == toServer) == 1", "passed", 1, 1, "1.1"),
      Row("count(grpc.messages where direction == toClient and bytes == 2) == 4", "passed", 4, 4),
      Row("count(grpc.gap) == 3", "passed", 3, 3), Row("max(grpc.gap) > 1s", "passed", nil, 3, "1.1"),
      Row("max(stream.gap where kind == grpc) < 1s", "failed", nil, 3), Row("count(streams) == 1", "passed", 1, 1),
      Row("count(h2.reset) == 0", "failed", 1, 1, "1.2"), Row("count(h2.reset where code != 8) == 0", "passed", 0, 0),
      Row("count(h2.reset where by == server) == 1", "passed", 1, 1), Row("max(h2.blocked) > 999ms", "passed", nil, 2),
      Row("min(h2.blocked) == 0", "passed", 0, 2),
    ])
  func multiplexed(_ row: Row) async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("--json", "--assert", row.text, try Self.capture(scratch, Self.calls))
    #expect(run.code == (row.verdict == "failed" ? .findings : .success), "\(run.errors)")
    let result = try #require((try run.result()["assertions"] as? [[String: Any]])?.first)
    #expect(result["verdict"] as? String == row.verdict)
    #expect(result["samples"] as? Int == row.samples)
    if let observed = row.observed { #expect(result["observed"] as? Double == observed) }
  }

  @Test("All at once are what each is alone, in the order they were given.")
  func together() async throws {
    let scratch = try Scratch()
    let rows = Self.exchangeRows + Self.streamRows + Self.connectionRows
    let run = await ProgramRun(
      ["--json"] + rows.flatMap { ["--assert", $0.text] } + ["-j", "2", try Self.capture(scratch)])
    #expect(run.code == .findings)
    let results = try #require(try run.result()["assertions"] as? [[String: Any]])
    #expect(results.map { $0["assertion"] as? String } == rows.map(\.text))
    #expect(results.map { $0["verdict"] as? String } == rows.map(\.verdict))
  }

  @Test("Without assertions nothing is said of them, and pieces reported for them alone are not shown.")
  func silence() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    #expect(await !ProgramRun("--json", capture).output.contains("\"assertions\""))
    let plain = await ProgramRun("--json", "--items", "0", capture).output
    let asserted = await ProgramRun("--json", "--items", "0", "--assert", "count(sse.events) == 4", capture).output
    #expect(asserted.contains("\"assertions\"") && !asserted.contains("itemsCut") && !plain.contains("itemsCut"))
  }

  @Test("The text says what was observed against what, of how many samples, and where to look.")
  func text() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    let run = await ProgramRun(
      "--assert", "max(sse.gap) < 250ms", "--assert", "count(streams) >= 1", "--assert", "p99(http.wait) < 1s", capture)
    #expect(run.code == .findings)
    #expect(
      run.output.contains(
        """

        3 assertions: 1 failed, 1 inconclusive, 1 passed
          FAILED        max(sse.gap) < 250ms
                        0.250 s, limit < 0.250 s; 3 samples; see #18, connection 2, exchange 1
          passed        count(streams) >= 1
                        1, limit >= 1; see #16, connection 2, exchange 1
          inconclusive  p99(http.wait) < 1s
                        1.000 s, limit < 1.000 s; 6 samples; see #9, connection 1, exchange 3
                        needs 100 samples, has 6

        """), "\(run.output)")
  }

  @Test("What passed says what it could not see.")
  func unseen() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch, Scripts.hole)
    let run = await ProgramRun(
      "--assert", "max(tcp.handshake) < 1s", "--assert", "min(tcp.handshake) > 1us", "--assert", "count(streams) >= 1",
      capture)
    let notes = run.output.components(separatedBy: "not seen: 4 B of stream data missing")
    #expect(notes.count == 3, "\(run.output)")
    // More than the least cannot be seen to be wrong by seeing more; a count that is too small can.
    #expect(notes.first?.contains("min(tcp.handshake)") == false && notes[1].contains("count(streams)"))
    let cut = try scratch.write(WireFile(Self.story).capture.bytes.dropLast(10), "cut.pcap")
    let other = await ProgramRun("--assert", "max(http.wait) < 1h", cut)
    #expect(other.code == .success && other.output.contains("not seen: whatever came after the end of the capture"))
    let silent = try Self.capture(
      scratch, Scripts.hello + "> \"GET / HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n> FIN\n< FIN\n> ACK\n")
    let owed = await ProgramRun("--assert", "max(http.wait) < 1s", silent)
    #expect(owed.output.contains("no samples: 1 exchange without a response"), "\(owed.output)")
  }

  @Test("Assertions are about what is selected.")
  func selected() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    #expect(
      await ProgramRun("--where", "status == 200", "--assert", "max(http.wait) <= 200ms", capture).code == .success)
    #expect(
      await ProgramRun("--where", "status == 500", "--assert", "max(http.wait) <= 200ms", capture).code == .findings)
    #expect(await ProgramRun("--connection", "2", "--assert", "count(sse.events) == 4", capture).code == .success)
    #expect(await ProgramRun("--connection", "1", "--assert", "count(sse.events) == 0", capture).code == .success)
  }

  @Test("JUnit has a case for each, and SARIF tells those that did not pass.")
  func documents() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    let assertions = [
      "--assert", "max(sse.gap) < 250ms", "--assert", "count(streams) >= 1", "--assert", "p99(http.wait) < 1s",
    ]
    let junit = await ProgramRun(["-o", "junit"] + assertions + [capture])
    #expect(junit.code == .findings)
    #expect(junit.output.contains(#"name="max(sse.gap) &lt; 250ms""#))
    #expect(junit.output.contains(#"<failure type="assertion" message="0.250 s, limit &lt; 0.250 s; 3 samples"#))
    #expect(junit.output.contains("inconclusive: 1.000 s"), "\(junit.output)")
    let sarif = await ProgramRun(["-o", "sarif"] + assertions + [capture])
    #expect(sarif.output.contains("'max(sse.gap) < 250ms' failed: 0.250 s"))
    #expect(sarif.output.contains("'p99(http.wait) < 1s' is inconclusive") && !sarif.output.contains("count(streams)"))
  }

  @Test("A line of NDJSON has them, too, and they are the same for any number of jobs.")
  func lines() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    let one = await ProgramRun("-o", "ndjson", "-j", "1", "--assert", "max(sse.gap) < 250ms", capture)
    let last = try #require(one.output.split(separator: "\n").last)
    #expect(last.contains(#""assertions":[{"assertion":"max(sse.gap) < 250ms","verdict":"failed""#), "\(last)")
    let four = await ProgramRun("-o", "ndjson", "-j", "4", "--assert", "max(sse.gap) < 250ms", capture)
    #expect(one.output == four.output)
  }

  @Test(
    "A mistake is shown with its place.",
    arguments: [
      (
        "p99(sse.gp) < 1s",
        "--assert, column 5: no series 'sse.gp'; did you mean sse.gap?\n  p99(sse.gp) < 1s\n      ^\n"
      ),
      ("max(sse.gap) < 1KiB", "'1KiB' is a size\n  max(sse.gap) < 1KiB\n                 ^\n"),
      ("count(ws.close where cod == 1) == 0", "did you mean code?\n"),
      ("cont(streams) >= 1", "no aggregate 'cont'; did you mean count?\n"), ("", "is empty\n  \n  ^\n"),
    ] as [(String, String)])
  func mistake(text: String, says: String) async {
    let run = await ProgramRun("--assert", "count(streams) >= 1", "--assert", text, "nosuch.pcap")
    run.expectRefusal(saying: says)
  }

  @Test("The help names every series.")
  func help() async {
    let help = await ProgramRun(["help", "conditions"]).output
    for name in ["p99.9", "sse.gap", "ws.close", "capture.missing", "findings"] {
      #expect(help.contains(name), "\(name)")
    }
  }
}

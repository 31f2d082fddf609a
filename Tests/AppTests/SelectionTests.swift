import Foundation
import Testing

@testable import App

@Suite("Selecting by a condition and a time range")
struct SelectionTests {
  /// Two exchanges, a refusal, two copies that differ, a WebSocket that ends with 1002, and an event stream that goes on.
  private static let story = #"""
    == 10.0.0.1:1000 10.0.0.9:80
    > SYN
    < SYN ACK
    > ACK
    > "GET /v1/a?x=1 HTTP/1.1\r\nHost: One.example\r\nUser-Agent: tester/1\r\n\r\n"
    +100ms
    < "HTTP/1.1 200 OK\r\nContent-Type: Text/Plain; charset=utf-8\r\nContent-Length: 5\r\n\r\nhello"
    > "POST /v2/b HTTP/1.1\r\nHost: One.example\r\nContent-Length: 3\r\n\r\nabc"
    < "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    > FIN
    < FIN
    > ACK
    == 10.0.0.2:1000 10.0.0.9:81 +1s
    > SYN
    < RST ack=0
    == 10.0.0.3:1000 10.0.0.8:80 +2s
    > SYN
    < SYN ACK
    > ACK
    > "GET /v1/c HTTP/1.1\r\nHost: two.example\r\n\r\n"
    < "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
    < "HTTP/1.1 500 KO\r\nContent-Length: 5\r\n\r\nhello" @0
    > ACK
    > FIN
    < FIN
    > ACK
    == 10.0.0.4:1000 10.0.0.9:80 +10s
    \#(Scripts.talk)
    < x"81027b7d"
    +3s
    < x"81027b7d"
    > x"88825bc15c2a582b"
    < x"880203ea"
    < FIN
    > FIN
    < ACK
    == 10.0.0.5:1000 10.0.0.7:80 +20s
    > SYN
    < SYN ACK
    > ACK
    > "GET /v1/e HTTP/1.1\r\nHost: two.example\r\n\r\n"
    < "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n8\r\ndata: 1\n\r\n"
    > ACK
    +1s
    < "1\r\n\n\r\n"
    > ACK
    +1s
    < "9\r\ndata: 2\n\n\r\n"
    > ACK
    """#

  private static func capture(_ scratch: Scratch, _ text: String = story) throws -> String {
    try scratch.captures(text, "story.pcap")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var connections: [Int]
    /// Connection and exchange.
    var exchanges: [String]
    /// How many findings are left.
    var findings: Int
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ arguments: [String], _ connections: [Int], _ exchanges: [String], _ findings: Int) {
      self.arguments = arguments
      self.connections = connections
      self.exchanges = exchanges
      self.findings = findings
    }

    init(_ condition: String, _ connections: [Int], _ exchanges: [String], _ findings: Int) {
      self.init(["--where", condition], connections, exchanges, findings)
    }
  }

  static let all = ["1.1", "1.2", "3.1", "4.1", "5.1"]

  static let connectionRows: [Row] = [
    Row(#"client.ip == "10.0.0.1""#, [1], ["1.1", "1.2"], 1),
    Row("connection in (1, 5)", [1, 5], ["1.1", "1.2", "5.1"], 4),
    Row("client.port == 1000", [1, 2, 3, 4, 5], all, 8),
    Row("server.port == 81", [2], [], 1),
    Row(#"server.ip like "10.0.?.?""#, [1, 2, 3, 4, 5], all, 8),
    Row(#"server == "two.example""#, [3, 5], ["3.1", "5.1"], 5),
    Row(#"protocol == "sse""#, [5], ["5.1"], 3),
    Row(#"protocol in ("h2", "websocket")"#, [4], ["4.1"], 1),
    Row("close.code == 1002", [4], ["4.1"], 1),
    Row("retransmitted > 0", [3], ["3.1"], 2),
    Row("missing > 0", [], [], 0),
    Row("tls or midstream", [], [], 0),
    Row(#"sni like "*" or alpn like "*""#, [], [], 0),
    Row("hurt", [2, 3, 4], ["3.1", "4.1"], 4),
    Row("not hurt", [1, 5], ["1.1", "1.2", "5.1"], 4),
    Row("start >= 2s", [3, 4, 5], ["3.1", "4.1", "5.1"], 6),
    Row(#"start >= "22:13:30""#, [4, 5], ["4.1", "5.1"], 4),
    Row("end < 1s", [1], ["1.1", "1.2"], 1),
    Row("duration > 1s", [4, 5], ["4.1", "5.1"], 4),
  ]

  static let exchangeRows: [Row] = [
    Row(#"method == "POST""#, [1], ["1.2"], 0),
    Row(#"host == "one.example""#, [1], ["1.1", "1.2"], 1),
    Row(#"path == "/v1/a""#, [1], ["1.1"], 1),
    Row(#"path like "/v1/*""#, [1, 3, 5], ["1.1", "3.1", "5.1"], 6),
    Row(#"target like "*x=1""#, [1], ["1.1"], 1),
    Row("status == 4xx", [1], ["1.2"], 0),
    Row("status != 200", [1, 4], ["1.2", "4.1"], 1),
    Row("not status == 200", [1, 2, 4], ["1.2", "4.1"], 2),
    Row("version == 1.1", [1, 3, 4, 5], all, 7),
    Row("version < 1.1", [], [], 0),
    Row("kind == sse", [5], ["5.1"], 3),
    Row("kind == websocket", [4], ["4.1"], 1),
    Row("kind == tcp", [2], [], 1),
    Row("kind == plain", [1, 3], ["1.1", "1.2", "3.1"], 3),
    Row(#"type == "text/plain""#, [1], ["1.1"], 1),
    Row(#"agent like "tester*""#, [1], ["1.1"], 1),
    Row("wait > 50ms", [1], ["1.1"], 1),
    Row("firstBody > 50ms", [1], ["1.1"], 1),
    Row("total < 50ms", [1, 3, 4], ["1.2", "3.1", "4.1"], 3),
    Row("gap > 500ms", [4, 5], ["4.1", "5.1"], 4),
    Row("gap > 2s", [4], ["4.1"], 1),
    Row("request.bytes == 3", [1], ["1.2"], 0),
    Row("response.bytes == 5B", [1, 3], ["1.1", "3.1"], 3),
    Row("complete", [1, 3, 4], ["1.1", "1.2", "3.1", "4.1"], 4),
    Row("not complete", [2, 5], ["5.1"], 4),
    Row(#"hurt and method == "GET""#, [3, 4], ["3.1", "4.1"], 3),
    Row(#"retransmitted > 0 and path like "/v1/*""#, [3], ["3.1"], 2),
    Row(#"start > 20s and path like "/v1/*""#, [5], ["5.1"], 3),
  ]

  static let findingRows: [Row] = [
    Row(#"rule like "tcp/*""#, [2, 3], ["3.1"], 2),
    Row("severity == error", [2, 3], ["3.1"], 2),
    Row("diagnosis", [2, 3, 4], ["3.1", "4.1"], 3),
    Row("failed", [2, 4], ["4.1"], 2),
    Row("lost > 2B", [3], ["3.1"], 1),
    Row("cost > 0", [], [], 0),
    Row(#"rule like "tcp/*" or path == "/v2/b""#, [1, 2, 3], ["1.2", "3.1"], 2),
    Row(#"diagnosis and path like "/v1/*""#, [3], ["3.1"], 1),
    Row(#"diagnosis and path like "/talk""#, [4], ["4.1"], 1),
    Row(#"not rule like "tcp/*""#, [1, 2, 3, 4, 5], all, 6),
  ]

  static let rangeRows: [Row] = [
    Row(["--from", "1.5", "--to", "15"], [3, 4], ["3.1", "4.1"], 3),
    Row(["--to", "0.05"], [1], ["1.1"], 0),
    Row(["--from", "22:13:40"], [5], ["5.1"], 3),
    Row(["--from", "21"], [5], ["5.1"], 1),
    Row(["--from", "2030-01-01T00:00:00Z"], [], [], 0),
    Row(["--to", "0:05", "--where", #"path like "/v1/*""#], [1, 3], ["1.1", "3.1"], 3),
    Row(["--from", "10", "--to", "12", "--where", "kind == websocket"], [4], ["4.1"], 0),
    Row(["--from", "15", "--where", "kind == websocket"], [], [], 0),
    Row(["--connection", "1", "--where", "status == 2xx"], [1], ["1.1"], 1),
  ]

  @Test("What is kept is what was asked for.", arguments: connectionRows + exchangeRows + findingRows + rangeRows)
  func kept(_ row: Row) async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(["--json"] + row.arguments + [try Self.capture(scratch)])
    #expect(run.code == .success, "\(run.errors)")
    let document = try run.result()
    let connections = try run.connections()
    #expect(connections.compactMap { $0["id"] as? Int } == row.connections)
    let exchanges = connections.flatMap { connection in
      (connection["exchanges"] as? [[String: Any]] ?? []).map { "\(connection["id"] ?? 0).\($0["id"] ?? 0)" }
    }
    #expect(exchanges == row.exchanges)
    #expect((document["findings"] as? [Any])?.count == row.findings)
    // What was analysed is counted, and what was left out of it.
    let summary = try #require(document["summary"] as? [String: Any])
    #expect(summary["connections"] as? Int == 5)
    #expect(summary["exchanges"] as? Int == 5)
    guard !row.arguments.contains("--connection") else { return }
    let selection = try #require(summary["selection"] as? [String: Any])
    #expect(selection["connectionsLeftOut"] as? Int == 5 - row.connections.count)
    #expect(selection["exchangesLeftOut"] as? Int == 5 - row.exchanges.count)
    #expect(selection["findingsLeftOut"] as? Int == 8 - row.findings)
    for name in ["where", "from", "to"] {
      let at = row.arguments.firstIndex(of: "--\(name)")
      #expect(selection[name] as? String == at.map { row.arguments[$0 + 1] })
    }
    let counted = (document["endpoints"] as? [[String: Any]] ?? []).compactMap { $0["n"] as? Int }.reduce(0, +)
    #expect(counted == row.exchanges.count)
  }

  @Test("NDJSON tells the same, and exchanges before their connection.")
  func lines() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("-o", "ndjson", "--where", "hurt", try Self.capture(scratch))
    let lines = try run.lines()
    let told = lines.compactMap { line -> String? in
      switch line["type"] as? String {
      case "exchange": "exchange \(line["connection"] ?? 0)"
      case "connection": "connection \(line["id"] ?? 0)"
      default: nil
      }
    }
    #expect(told == ["connection 2", "exchange 3", "connection 3", "exchange 4", "connection 4"])
    #expect(((lines.last?["summary"] as? [String: Any])?["selection"] as? [String: Any])?["where"] as? String == "hurt")
  }

  @Test("The text says what was left out, and tells only lines in the range.")
  func text() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    let run = await ProgramRun("--from", "21.5", "--timeline", "full", capture)
    #expect(run.output.contains("\nLeft out by --from 21.5: 4 exchanges, 4 connections, 8 findings\n"))
    #expect(run.output.contains("No problem found in what is selected"))
    #expect(run.output.contains("#5  10.0.0.5:1000") && run.output.contains("GET /v1/e → 200"))
    #expect(run.output.contains("22.00") && !run.output.contains("20.00"))
    let none = await ProgramRun("--where", "tls", capture)
    #expect(none.output.contains("Nothing in this capture is selected."))
    let all = await ProgramRun("--where", "not tls", capture)
    #expect(all.output.contains("\nLeft out by --where not tls: nothing\n"))
    #expect(await !ProgramRun(capture).output.contains("Left out by"))
  }

  @Test("Of many connections the selected ones are reported with their exchanges, whatever their numbers.")
  func manyConnections() async throws {
    let scratch = try Scratch()
    let story = (1...20).map { number in
      "== 10.0.0.\(number):1000 10.0.1.1:80 +\(number)s\n" + Scripts.hello
        + "> \"GET /n\(number) HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n> FIN\n< FIN\n> ACK\n"
    }.joined()
    let capture = try Self.capture(scratch, story)
    let run = await ProgramRun("--where", #"path like "/n1?""#, "--to", "14.5", capture)
    for number in 10...15 { #expect(run.output.contains("GET /n\(number) → 200"), "\(number)") }
    #expect(!run.output.contains("GET /n9 ") && !run.output.contains("GET /n16 "))
    #expect(run.output.contains("time s"))
    #expect(run.output.contains("14 exchanges, 14 connections"))
    let one = await ProgramRun("--where", "connection == 20", capture)
    #expect(one.output.contains("GET /n20 → 200"))
  }

  @Test("Exchanges that cannot wait for the end of their connection are judged by what is known, and it is said.")
  func bound() async throws {
    let scratch = try Scratch()
    let exchanges = (1...2_400).map { number in
      "> \"GET /\(number) HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
    }.joined()
    let capture = try Self.capture(scratch, Scripts.hello + exchanges)
    let run = await ProgramRun("--json", "--where", "not retransmitted > 0", capture)
    let limits = (try run.result()["capture"] as? [String: Any])?["limits"] as? [String] ?? []
    #expect(limits.contains { $0.contains("selected before the connection ended") })
    // Not knowing of any retransmission, it takes them.
    let connection = try run.connections().first
    #expect((connection?["exchanges"] as? [Any])?.count == 2_400)
    let other = await ProgramRun("--json", "--where", "missing == 0", capture)
    let kept = try other.connections().first
    let count = try #require((kept?["exchanges"] as? [Any])?.count)
    #expect(count > 100 && count < 2_400)
    #expect(kept?["exchangesLeftOut"] as? Int == 2_400 - count)
  }

  @Test("--fail-on asks about what is kept.")
  func failOn() async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    #expect(await ProgramRun("--fail-on", "error", "--where", "hurt", capture).code == .findings)
    #expect(await ProgramRun("--fail-on", "error", "--where", "not hurt", capture).code == .success)
    #expect(await ProgramRun("--fail-on", "empty", "--where", "not hurt", capture).code == .success)
    #expect(await ProgramRun("--fail-on", "empty", "--where", "tls", capture).code == .findings)
  }

  @Test(
    "A mistake is shown with its place.",
    arguments: [
      (["--where", "pth == 'a'"], "--where, column 1: no field 'pth'; did you mean path?\n  pth == 'a'\n  ^\n"),
      (["--where", "hurt and wait > 1KiB"], "'1KiB' is a size\n  hurt and wait > 1KiB\n                  ^\n"),
      (["--where", "kind == see"], "did you mean sse?\n  kind == see\n          ^\n"),
      (["--where", "path == '\t' x"], "\n  path == '\\t' x\n               ^\n"),
      (["--where", ""], "is empty\n  \n  ^\n"),
      (["--where", "hurt and"], "not the end\n  hurt and\n          ^\n"),
      (["--from", "soon"], "--from needs a time"), (["--to", "1:99"], "--to needs a time"),
      (["--from", "2", "--to", "1"], "--from 2 comes after --to 1"),
    ] as [([String], String)])
  func mistake(arguments: [String], says: String) async {
    let run = await ProgramRun(arguments + ["nosuch.pcap"])
    run.expectRefusal(saying: says)
  }

  @Test("The output is the same for any number of jobs.", arguments: ["text", "ndjson"])
  func jobs(_ format: String) async throws {
    let scratch = try Scratch()
    let capture = try Self.capture(scratch)
    let one = await ProgramRun("-o", format, "-j", "1", "--where", "diagnosis", capture)
    #expect(await ProgramRun("-o", format, "-j", "4", "--where", "diagnosis", capture).output == one.output)
  }
}

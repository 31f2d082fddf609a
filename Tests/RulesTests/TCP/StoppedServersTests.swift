import Citation
import Events
import RunSupport
import Support
import Testing

@Suite("A server that stops ends its connections and refuses others")
struct StoppedServersTests {
  private static let stream = """
    > SYN
    < SYN ACK
    > ACK
    > "GET /events HTTP/1.1\\r\\nHost: a.test\\r\\n\\r\\n"
    < "HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
    < "9\\r\\ndata: a\\n\\n\\r\\n"
    +1700ms
    < FIN
    > FIN
    < ACK

    """
  private static let unanswered = """
    > SYN
    < SYN ACK
    > ACK
    > "GET /page HTTP/1.1\\r\\nHost: a.test\\r\\n\\r\\n"
    +1700ms
    < RST

    """
  private static let refused = "> SYN\n< RST ack=0\n"
  private static let accepted = "> SYN\n< SYN ACK\n> ACK\n"

  private static func run(_ script: String) async throws -> CaptureRun {
    try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
  }

  @Test("What it cut stands under the refusal, which says so.")
  func restart() async throws {
    let run = try await Self.run(
      "== 10.0.0.1:40001 10.0.0.2:80\n" + Self.stream + "== 10.0.0.1:40002 10.0.0.2:80 +200ms\n" + Self.unanswered
        + "== 10.0.0.1:40003 10.0.0.2:80 +5s\n" + Self.refused + "== 10.0.0.1:40004 10.0.0.2:80 +7s\n" + Self.accepted)
    #expect(run.findings(of: "chunked/missing-last-chunk").map(\.causedBy) == ["tcp/connect-refused"])
    #expect(run.findings(of: "http/unanswered-request").map(\.causedBy) == ["tcp/connect-refused"])
    let refusals = run.findings(of: "tcp/connect-refused")
    #expect(refusals.count == 1)
    #expect(
      refusals.first?.message.text.contains(
        "The server ended 2 connections in use, the first 3.295 s before it.") == true,
      "\(refusals.first?.message.text ?? "")")
    #expect(refusals.first?.fix?.hasPrefix("Server: it was restarted") == true)
  }

  @Test("One that lets its streams end refuses others meanwhile.")
  func draining() async throws {
    let run = try await Self.run(
      "== 10.0.0.1:40001 10.0.0.2:80\n" + Self.stream + "== 10.0.0.1:40003 10.0.0.2:80 +1s\n" + Self.refused)
    #expect(run.findings(of: "chunked/missing-last-chunk").map(\.causedBy) == ["tcp/connect-refused"])
    let text = run.findings(of: "tcp/connect-refused").first?.message.text ?? ""
    #expect(text.hasSuffix("The server ended 1 connection in use 0.705 s after it."), "\(text)")
  }

  @Test(
    "Refusals long before or after, of another server, or between which the server was up, explain nothing.",
    arguments: [
      "== 10.0.0.1:40003 10.0.0.2:80 +9s\n" + refused,
      "== 10.0.0.1:40003 10.0.0.2:81 +5s\n" + refused,
      "== 10.0.0.1:40003 10.0.0.3:80 +5s\n" + refused,
    ])
  func apart(_ other: String) async throws {
    let run = try await Self.run("== 10.0.0.1:40001 10.0.0.2:80\n" + Self.stream + other)
    #expect(run.findings(of: "chunked/missing-last-chunk").map(\.causedBy) == [nil])
  }

  @Test("A server that had been up again for long ended the connection for a reason of its own.")
  func between() async throws {
    let run = try await Self.run(
      "== 10.0.0.1:40000 10.0.0.2:80\n" + Self.refused + "== 10.0.0.1:40001 10.0.0.2:80 +20s\n" + Self.stream
        + "== 10.0.0.1:40003 10.0.0.2:80 +40s\n" + Self.refused)
    #expect(run.findings(of: "chunked/missing-last-chunk").map(\.causedBy) == [nil])
  }

  @Test("What the client ended is the client's.")
  func client() async throws {
    let run = try await Self.run(
      "== 10.0.0.1:40001 10.0.0.2:80\n" + Self.unanswered.replacing("+1700ms\n< RST", with: "+2345ms\n> RST")
        + "== 10.0.0.1:40003 10.0.0.2:80 +5s\n" + Self.refused)
    #expect(run.findings(of: "http/unanswered-request").map(\.causedBy) == [nil])
    #expect(run.findings(of: "tcp/connect-refused").first?.message.text.contains("in use") == false)
  }
}

import Events
import RunSupport
import Testing

/// What is told under what.
@Suite("Consequences")
struct ConsequencesTests {
  private static let lines = "HTTP/1.1 200 OK\\r\\nContent-Type: application/x-ndjson\\r\\n"

  @Test(
    "A late first byte is explained by a buffer only where somebody is in sight who may have held it.",
    arguments: [
      ("Transfer-Encoding: chunked\\r\\n\\r\\n6\\r\\n1\\n2\\n3\\n\\r\\n0\\r\\n\\r\\n", "stream/buffered-until-end"),
      ("Server: nginx\\r\\nContent-Length: 6\\r\\n\\r\\n1\\n2\\n3\\n", "stream/buffered-until-end"),
      ("Content-Length: 6\\r\\n\\r\\n1\\n2\\n3\\n", nil),
    ] as [(String, String?)])
  func slowQuery(_ rest: String, _ cause: String?) async throws {
    let run = try await CaptureRun(SSERows.get("+6s", "< \"\(Self.lines)\(rest)\"", fields: ""))
    #expect(run.findings(of: "stream/buffered-until-end").count == 1)
    let late = try #require(run.findings(of: "http/ttfb-slow").first)
    #expect(late.causedBy?.text == cause)
  }

  @Test("What an event stream lacks in its silence stands above the silence itself.")
  func silence() async throws {
    let run = try await CaptureRun(
      SSERows.get(
        "< \"\(SSERows.stream)data: 1\\n\\n\"", "> ACK", "+40s", "< \"data: 2\\n\\n\"", "> ACK", "< FIN", "> FIN"))
    #expect(run.findings(of: "sse/no-keepalive").count == 1)
    let silence = try #require(run.findings(of: "stream/no-heartbeat").first)
    #expect(silence.causedBy?.text == "sse/no-keepalive")
  }
}

import Events
import RunSupport
import Support
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

  @Test("A fault by its rule has the cost of what follows from it, and hides nothing that has one.")
  func charged() async throws {
    typealias S = HTTP2Script
    let goAway = S.frame(7, 0, 0, S.word(1) + S.word(0))
    let run = try await CaptureRun(
      S.open + S.up(S.request()) + S.down(goAway) + "+1s\n" + S.up(S.request(3)) + S.down(S.response(1, ends: true))
        + S.end)
    let cause = try #require(run.findings(of: "h2/request-after-goaway").first)
    let consequence = try #require(run.findings(of: "h2/goaway-unprocessed").first)
    #expect(consequence.causedBy == cause.rule)
    #expect(cause.cost == consequence.cost)
    #expect(cause.isDiagnosis)
  }

  @Test(
    "What the server took from this client before is not why it refuses now.",
    arguments: [("200 OK", false), ("400 Bad Request", true)])
  func taken(_ before: String, _ isHurt: Bool) async throws {
    let ask =
      #"> "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n""#
    func answer(_ status: String) -> String { #"< "HTTP/1.1 \#(status)\r\nContent-Length: 0\r\n\r\n""# }
    let run = try await CaptureRun(
      "\(handshake)\(ask)\n\(answer(before))\n\(ask)\n\(answer("400 Bad Request"))\n> FIN\n< FIN\n")
    #expect(run.findings(of: "h2/h2c-upgrade-ignored").map(\.isDiagnosis) == [isHurt, isHurt])
  }

  @Test(
    "A lost packet explains what happens at its time, and not what happens long after.",
    arguments: [("+500ms", "tcp/retransmission-gap"), ("+60s", nil)] as [(String, String?)])
  func lost(_ later: String, _ cause: String?) async throws {
    typealias S = SocketFrames
    let ask = WebSocketRows.ask()
    let run = try await CaptureRun(
      handshake + ask + "+2s\n" + ask.replacing("\n", with: " @0\n") + "< ACK\n" + WebSocketRows.switching() + "> ACK\n"
        + "\(later)\n" + S.down(8, bytes: S.close(1011, "keepalive ping timeout")) + "< FIN\n")
    #expect(run.findings(of: "tcp/retransmission-gap").count == 1)
    let timeout = try #require(run.findings(of: "ws/keepalive-timeout").first)
    #expect(timeout.causedBy?.text == cause)
  }

  @Test(
    "A repetition stands under the patience of its client, unless it may do something twice.",
    arguments: [("GET", 3, "http/unanswered-request"), ("GET", 1, nil), ("POST", 3, nil)] as [(String, Int, RuleID?)])
  func repeated(_ method: String, _ patience: Int, _ cause: RuleID?) async throws {
    let ask = "> \"\(method) /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n"
    let script = """
      == 10.0.0.1:40000 10.0.0.2:80
      \(handshake)\(ask)< ACK
      +\(patience)s
      > FIN
      < FIN
      == 10.0.0.1:40001 10.0.0.2:80 +\(patience)500ms
      \(handshake)\(ask)< "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
      """
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    #expect(run.findings(of: "http/retried-request").map(\.causedBy) == [cause])
  }

  @Test("The wait of a call up to its deadline stands under that.")
  func deadline() async throws {
    typealias S = HTTP2Script
    let type = ("content-type", "application/grpc")
    let asked = [(":method", "POST")] + S.asked.dropFirst() + [type, ("te", "trailers"), ("grpc-timeout", "2S")]
    let run = try await CaptureRun(
      S.open + S.up(S.headers(1, asked) + S.data(1, "\0\0\0\0\0", ends: true)) + "+2s\n"
        + S.down(S.response(1, [type, ("grpc-status", "4")], ends: true)) + S.end)
    let late = try #require(run.findings(of: "http/ttfb-slow").first)
    #expect(late.causedBy == "grpc/deadline-exceeded")
  }

  @Test("A remark does not stand before what has a cost.")
  func remarked() async throws {
    let run = try await CaptureRun(
      handshake + WebSocketRows.ask() + "< ACK\n+2s\n" + WebSocketRows.switching() + "> FIN\n< FIN\n")
    #expect(run.findings(of: "ws/hs-slow").count == 1)
    let late = try #require(run.findings(of: "http/ttfb-slow").first)
    #expect(late.causedBy == nil)
  }
}

import Events
import RunSupport
import Support
import Testing

@Suite("An origin that does not answer is told once")
struct ProxiedFindingsTests {
  private static let handshake = "> SYN\n< SYN ACK\n> ACK\n"
  private static let asked = "> \"GET /a HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: u\\r\\n\\r\\n\"\n"

  /// A client, and what its proxy asks behind it, and how both end.
  private static func hops(_ answer: String, behind: String, inner: String = "10.0.0.2:50000 10.0.0.3:9000") -> String {
    "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + asked
      + "+5s\n< \"HTTP/1.1 \(answer)\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
      + "+10s\n> FIN\n< FIN\n" + "== \(inner) +1ms\n" + handshake + asked + "< ACK\n" + behind
  }

  private static func causes(_ script: String) async throws -> (unanswered: [String?], error: [String?]) {
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    return (
      run.findings(of: "http/unanswered-request").map(\.causedBy?.text),
      run.findings(of: "http/server-error").map(\.causedBy?.text)
    )
  }

  /// A proxy, its origin's answer that never comes through, and what it tells its client.
  private static func starved(_ origin: String, _ told: String, ending: String = "> FIN\n") -> String {
    """
    == 10.0.0.1:40000 10.0.0.2:80
    \(handshake)> "GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
    +8s
    \(told)
    == 10.0.0.2:50000 10.0.0.3:8080 +10ms
    \(handshake)> "GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
    \(origin)
    +7900ms
    > FIN ack=0
    """
  }

  @Test(
    "A hole in the origin's answer, for which the proxy asked until it gave up, explains what it tells its client.",
    arguments: [
      ("< len=1448 !lost\n< len=300\n> ack=0", "tcp/mss-blackhole"), ("< len=900 !lost\n< len=300\n> ack=0", nil),
    ] as [(String, String?)])
  func starved(_ origin: String, _ cause: String?) async throws {
    let error = #"< "HTTP/1.1 504 Gateway Time-out\r\nContent-Length: 0\r\n\r\n""#
    let page = try await CaptureRun(ScriptedCapture(WireFile(Self.starved(origin, error)).conversations))
    #expect(page.findings(of: "http/server-error").map(\.causedBy?.text) == [cause])
  }

  @Test("A proxy gives its origin up, right before or right after it answers 504: what it answers is the story.")
  func givenUp() async throws {
    for wait in ["+4990ms", "+5005ms"] {
      let causes = try await Self.causes(Self.hops("504 Gateway Time-out", behind: "\(wait)\n> FIN\n< FIN\n"))
      #expect(causes.unanswered == ["http/server-error"], "\(wait)")
    }
  }

  @Test("An origin closes without an answer, and its proxy answers 502 for it: the origin is the story.")
  func closed() async throws {
    let causes = try await Self.causes(Self.hops("502 Bad Gateway", behind: "+4990ms\n< FIN\n> FIN\n"))
    #expect(causes.unanswered == [nil] && causes.error == ["http/unanswered-request"])
  }

  @Test("A proxy's request meets a connection that its origin is closing, and the proxy answers 502 for it.")
  func raced() async throws {
    let asked = Self.asked
    let answer = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
    let script =
      "== 10.0.0.1:40000 10.0.0.2:80\n" + Self.handshake + asked + "+5ms\n" + answer + "+3s\n" + asked
      + "+5ms\n< \"HTTP/1.1 502 Bad Gateway\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n+1s\n> FIN\n< FIN\n"
      + "== 10.0.0.2:50000 10.0.0.3:9000 +1ms\n" + Self.handshake + asked + answer + "+3006ms\n< FIN\n" + asked
      + "< RST\n"
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    #expect(run.findings(of: "http/keepalive-race").map(\.causedBy) == [nil])
    #expect(run.findings(of: "http/server-error").map(\.causedBy?.text) == ["http/keepalive-race"])
  }

  @Test("The origin answers when the proxy has given up.")
  func answeredLate() async throws {
    let answer = "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
    let run = try await CaptureRun(
      ScriptedCapture(
        WireFile(Self.hops("504 Gateway Time-out", behind: "+4990ms\n> FIN\n+2s\n\(answer)> RST\n")).conversations))
    #expect(run.findings(of: "http/reply-after-close").map(\.causedBy?.text) == ["http/server-error"])
    let words = run.findings(of: "http/server-error").map(\.message.text)
    #expect(words.count == 1 && words.allSatisfy { $0.contains("answered nothing for") && $0.contains("gave up") })
  }

  @Test("The origin does not answer the proxy's SYNs; another client's have nothing to do with it.")
  func silentOrigin() async throws {
    for (host, isTold) in [("10.0.0.2", true), ("10.0.0.7", false)] {
      let script =
        "== 10.0.0.1:40000 10.0.0.2:80\n" + Self.handshake + Self.asked
        + "+2s\n< \"HTTP/1.1 504 Gateway Time-out\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n+1s\n> FIN\n< FIN\n"
        + "== \(host):50000 10.0.0.3:9000 +5ms\n> SYN\n+1s\n> SYN\n+2s\n> SYN\n"
      let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
      let told = run.findings(of: "http/server-error")
      #expect(
        told.count == 1 && told.allSatisfy { $0.message.text.contains("10.0.0.3:9000 had not answered") == isTold })
      #expect(told.allSatisfy { $0.causedBy == nil && $0.fix?.contains("does not answer its SYNs") == isTold })
    }
  }

  @Test("A page in place of a stream stands under the refusal of the origin; of an origin that is late it does not.")
  func page() async throws {
    let asked = "> \"GET /s HTTP/1.1\\r\\nHost: a\\r\\nAccept: text/event-stream\\r\\n\\r\\n\"\n"
    let page = "Content-Type: text/html\\r\\nContent-Length: 6\\r\\n\\r\\n<html>\"\n+1s\n> FIN\n< FIN\n"
    for (behind, cause) in Self.origins {
      let script =
        "== 10.0.0.1:40000 10.0.0.2:80\n" + Self.handshake + asked + "+60ms\n< \"HTTP/1.1 502 Bad Gateway\\r\\n" + page
        + behind
      let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
      #expect(run.findings(of: "proxy/504-body-as-stream").map(\.causedBy?.text) == [cause])
    }
  }

  /// What a proxy tried that answers 60 ms after it was asked, and whether that is why.
  private static let origins: [(String, String?)] = [
    ("== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n> SYN\n< RST ack=0\n", "tcp/connect-refused"),
    ("== 10.0.1.2:50000 10.0.1.3:9000 +58ms\n> SYN\n< RST ack=0\n", "tcp/connect-refused"),
    ("== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n> SYN\n", nil),
  ]

  @Test("So does a WebSocket that the proxy could not open.")
  func refusedSocket() async throws {
    for (behind, cause) in Self.origins {
      let script =
        "== 10.0.0.1:40000 10.0.0.2:80\n" + Self.handshake + Self.upgrade
        + "+60ms\n< \"HTTP/1.1 502 Bad Gateway\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n+1s\n> FIN\n< FIN\n" + behind
      let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
      #expect(run.findings(of: "ws/hs-refused-gateway").map(\.causedBy?.text) == [cause])
    }
  }

  @Test("An origin that resets a connection did not leave the proxy's patience to run out.")
  func reset() async throws {
    let run = try await CaptureRun(
      ScriptedCapture(WireFile(Self.hops("502 Bad Gateway", behind: "+4990ms\n< RST\n")).conversations))
    let words = run.findings(of: "http/server-error").map(\.message.text)
    #expect(words.count == 1 && words.allSatisfy { $0.contains("and closed") && !$0.contains("gave up") })
  }

  private static let upgrade =
    "> \"GET /w HTTP/1.1\\r\\nHost: a\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Version: 13\\r\\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\\r\\n\\r\\n\"\n"
  private static let switched =
    "< \"HTTP/1.1 101 Switching Protocols\\r\\nConnection: Upgrade\\r\\nUpgrade: websocket\\r\\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\\r\\n\\r\\n\"\n"

  /// A WebSocket through a proxy, and how both sides end.
  private static func socket(outer: String, inner: String) -> String {
    let text = "< x\"81026869\"\n"
    return "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + upgrade + "+40ms\n" + switched + text + outer
      + "== 10.0.0.2:50000 10.0.0.3:80 +10ms\n" + handshake + upgrade + switched + "+10ms\n" + text + inner
  }

  private static func cut(_ script: String) async throws -> (timeouts: [RuleID], missing: [String?]) {
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    return (
      run.findings(of: "proxy/read-timeout").map(\.rule),
      run.findings(of: "ws/close-missing-fin").filter(\.isDiagnosis).map(\.causedBy?.text)
    )
  }

  @Test("A proxy ends both sides of a silent WebSocket: it did that, and both of them miss a Close.")
  func timer() async throws {
    let cut = try await Self.cut(Self.socket(outer: "+4300ms\n< FIN\n> FIN\n", inner: "+4315ms\n> FIN\n< FIN\n"))
    #expect(cut.timeouts.count == 1 && cut.missing == ["proxy/read-timeout"])
  }

  @Test("The server ends a WebSocket without a Close, and its proxy passes that on.")
  func passedOn() async throws {
    let cut = try await Self.cut(Self.socket(outer: "+4300ms\n< FIN\n> FIN\n", inner: "+4290ms\n< FIN\n> FIN\n"))
    #expect(cut.timeouts.isEmpty)
    #expect(Set(cut.missing) == [nil, "ws/close-missing-fin"] && cut.missing.count == 2)
  }

  @Test(
    "A Close with an error code that the proxy repeats on its other side is one; with another code, or long after it, two.",
    arguments: [
      (socket(outer: "+4300ms\n< x\"880203f4\"\n< FIN\n> FIN\n", inner: "+4290ms\n< x\"880203f4\"\n< FIN\n> FIN\n"), 1),
      (socket(outer: "+4300ms\n> x\"880203ea\"\n> FIN\n< FIN\n", inner: "+4330ms\n> x\"880203ea\"\n> FIN\n< FIN\n"), 1),
      (socket(outer: "+4300ms\n< x\"880203f3\"\n< FIN\n> FIN\n", inner: "+4290ms\n< x\"880203f4\"\n< FIN\n> FIN\n"), 0),
      (socket(outer: "+4300ms\n< x\"880203f4\"\n< FIN\n> FIN\n", inner: "+3300ms\n< x\"880203f4\"\n< FIN\n> FIN\n"), 0),
    ])
  func repeatedClose(_ script: String, _ repetitions: Int) async throws {
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    let closes = run.findings(of: "ws/close-error-code")
    #expect(closes.count == 2)
    #expect(closes.count { $0.causedBy == "ws/close-error-code" } == repetitions)
  }

  @Test(
    "It was not the proxy's timer.",
    arguments: [
      // The server left half a second before.
      socket(outer: "+4300ms\n< FIN\n> FIN\n", inner: "+3800ms\n< FIN\n> FIN\n"),
      // Something had come just before.
      socket(
        outer: "+4300ms\n< x\"81026869\"\n< FIN\n> FIN\n", inner: "+4300ms\n< x\"81026869\"\n+5ms\n> FIN\n< FIN\n"),
      // The client left the proxy's keep-alive probes unanswered.
      socket(
        outer: "> ACK\n+1s\n< ACK seq-1\n+1s\n< ACK seq-1\n+1s\n< ACK seq-1\n+1s\n< RST\n",
        inner: "+4320ms\n> FIN\n< FIN\n"),
      // One side was kept for a second.
      socket(outer: "+4300ms\n< FIN\n> FIN\n", inner: "+5300ms\n> FIN\n< FIN\n"),
    ])
  func other(_ script: String) async throws {
    let cut = try await Self.cut(script)
    #expect(cut.timeouts.isEmpty && cut.missing.allSatisfy { $0 == nil })
  }

  /// Without an answer on either side.
  private static func silentHops(outer: String, inner: String) -> String {
    "== 10.0.0.1:40000 10.0.0.2:80\n" + handshake + asked + "< ACK\n" + outer
      + "== 10.0.0.2:50000 10.0.0.3:9000 +1ms\n" + handshake + asked + "< ACK\n" + inner
  }

  @Test(
    "A proxy gives its origin up, and ends the client's connection without an answer: it did that, on both sides.",
    arguments: ["< FIN\n", "< ACK\n"])
  func nothing(_ origins: String) async throws {
    let script = Self.silentHops(outer: "+3s\n< FIN\n> FIN\n", inner: "+3s\n> FIN\n\(origins)")
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    let told = run.findings(of: "proxy/read-timeout")
    #expect(told.map(\.message.text).first?.contains("gave up 10.0.0.3:9000 after 3.00") == true)
    #expect(told.count == 1 && told.allSatisfy { $0.cost == .failed(.exchange) && $0.evidence.count == 3 })
    #expect(
      run.findings(of: "http/unanswered-request").map(\.causedBy?.text)
        == Array(repeating: "proxy/read-timeout", count: 2))
    #expect(run.summary.endpoints.map(\.hurt) == [2])
  }

  @Test(
    "It was not the proxy that gave up.",
    arguments: [
      // The origin closed.
      silentHops(outer: "+3s\n< FIN\n> FIN\n", inner: "+2990ms\n< FIN\n> FIN\n"),
      // The client left.
      silentHops(outer: "+3s\n> FIN\n< FIN\n", inner: "+3s\n> FIN\n< FIN\n"),
      // One of them a second later.
      silentHops(outer: "+3s\n< FIN\n> FIN\n", inner: "+4s\n> FIN\n< FIN\n"),
      // There was hardly time for an answer.
      silentHops(outer: "+500ms\n< FIN\n> FIN\n", inner: "+500ms\n> FIN\n< FIN\n"),
    ])
  func someoneElse(_ script: String) async throws {
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    #expect(run.findings(of: "proxy/read-timeout").isEmpty)
  }

  @Test("Its server answers the proxy's FIN with a Close: it was the proxy's timer all the same.")
  func answeredEnd() async throws {
    let close = "< x\"880203ea\"\n< FIN\n> RST\n"
    let cut = try await Self.cut(Self.socket(outer: "+4300ms\n< FIN\n> FIN\n", inner: "+4315ms\n> FIN\n\(close)"))
    #expect(cut.timeouts.count == 1)
  }

  @Test("The proxy asked a second origin, and passed its answer on: nobody was told of the first one.")
  func passed() async throws {
    let causes = try await Self.causes(Self.hops("200 OK", behind: "+4990ms\n> FIN\n< FIN\n"))
    #expect(causes.unanswered == [nil] && causes.error.isEmpty)
  }

  @Test("Another host asks for the same and gives up at that moment: that is no part of it.")
  func others() async throws {
    let causes = try await Self.causes(
      Self.hops("504 Gateway Time-out", behind: "+4990ms\n> FIN\n< FIN\n", inner: "10.0.0.1:50000 10.0.0.3:9000"))
    #expect(causes.unanswered == [nil])
  }

  @Test("The proxy answered long before it gave its origin up: it was not for that.")
  func late() async throws {
    let causes = try await Self.causes(Self.hops("504 Gateway Time-out", behind: "+7s\n> FIN\n< FIN\n"))
    #expect(causes.unanswered == [nil])
  }
}

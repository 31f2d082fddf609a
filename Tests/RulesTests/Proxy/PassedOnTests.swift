import Engine
import Events
import RunSupport
import Support
import Testing

/// What is seen on both sides of a proxy is told of the side that it comes from.
@Suite("Passed on by a proxy")
struct PassedOnTests {
  private static let begun = "< \"HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n3\\r\\none\\r\\n\"\n"

  private static func hops(_ outer: String, _ inner: String) -> String {
    """
    == 10.0.0.1:40000 10.0.0.2:80
    \(handshake)> "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
    \(outer)
    == 10.0.0.2:50000 10.0.0.3:9000 +10ms
    \(handshake)> "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
    \(inner)
    """
  }

  /// The causes of the findings of a rule: of the client's connection, and of the origin's.
  private static func causes(of rule: String, _ script: String) async throws -> [RuleID?] {
    let findings = try await CaptureRun(ScriptedCapture(WireFile(script).conversations)).findings(of: RuleID(rule))
      .sorted {
        ($0.connection ?? 0) < ($1.connection ?? 0)
      }
    #expect(findings.map(\.connection) == [1, 2])
    return findings.map(\.causedBy)
  }

  @Test("An origin breaks off, and the proxy does so, too.")
  func broken() async throws {
    let causes = try await Self.causes(
      of: "chunked/missing-last-chunk",
      Self.hops("+30ms\n\(Self.begun)+1s\n< FIN\n> FIN\n", "+10ms\n\(Self.begun)+990ms\n< FIN\n> FIN\n"))
    #expect(causes == ["chunked/missing-last-chunk", nil])
  }

  @Test("The origin's connection is over, and reported, after the client's.")
  func longer() async throws {
    let causes = try await Self.causes(
      of: "chunked/missing-last-chunk",
      Self.hops("+30ms\n\(Self.begun)+1s\n< FIN\n> FIN\n", "+10ms\n\(Self.begun)+990ms\n< FIN\n+500ms\n> FIN\n"))
    #expect(causes == ["chunked/missing-last-chunk", nil])
  }

  @Test("The proxy breaks off a second later: for a reason of its own, perhaps.")
  func later() async throws {
    let causes = try await Self.causes(
      of: "chunked/missing-last-chunk",
      Self.hops("+30ms\n\(Self.begun)+2100ms\n< FIN\n> FIN\n", "+10ms\n\(Self.begun)+990ms\n< FIN\n> FIN\n"))
    #expect(causes == [nil, nil])
  }

  private static func answer(after wait: String) -> String {
    "< ACK\n+\(wait)\n< \"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n"
  }

  @Test("A slow origin makes its proxy slow.")
  func slow() async throws {
    let causes = try await Self.causes(
      of: "http/ttfb-slow", Self.hops(Self.answer(after: "3s"), Self.answer(after: "2900ms")))
    #expect(causes == ["http/ttfb-slow", nil])
  }

  @Test("The proxy keeps the origin's connection when the client has closed.")
  func kept() async throws {
    let causes = try await Self.causes(
      of: "http/ttfb-slow",
      Self.hops(Self.answer(after: "3s") + "> FIN\n< FIN\n", Self.answer(after: "2900ms") + "+60s\n> FIN\n< FIN\n"))
    // Reported first is the client's, and it names the origin.
    #expect(causes == [nil, "http/ttfb-slow"])
  }

  @Test("Two proxies, one behind the other: the origin is slow, and each of them passes it on.")
  func chain() async throws {
    let asked = "> \"GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n"
    let script =
      "== 10.0.0.1:40000 10.0.0.2:80\n\(handshake)\(asked)\(Self.answer(after: "3s"))"
      + "== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n\(handshake)\(asked)\(Self.answer(after: "2950ms"))"
      + "== 10.0.0.3:50000 10.0.0.4:9000 +20ms\n\(handshake)\(asked)\(Self.answer(after: "2900ms"))"
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    let slow = run.findings(of: "http/ttfb-slow").sorted { ($0.connection ?? 0) < ($1.connection ?? 0) }
    #expect(slow.map(\.connection) == [1, 2, 3])
    #expect(slow.map(\.causedBy) == ["http/ttfb-slow", "http/ttfb-slow", nil])
    #expect(run.findings(of: "proxy/hop-joined").count == 2)
  }

  @Test("A proxy that takes as long again is slow itself.")
  func held() async throws {
    let causes = try await Self.causes(
      of: "http/ttfb-slow", Self.hops(Self.answer(after: "6s"), Self.answer(after: "2900ms")))
    #expect(causes.count == 2 && causes[0] != "http/ttfb-slow")
  }

  @Test("What a proxy answers for an origin that refuses is a consequence; what a server answers for itself is none.")
  func refused() async throws {
    for (status, cause) in [("502 Bad Gateway", "tcp/connect-refused"), ("500 Oops", nil)] as [(String, RuleID?)] {
      let script = """
        == 10.0.0.1:40000 10.0.0.2:80
        \(handshake)> "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
        +60ms
        < "HTTP/1.1 \(status)\\r\\nContent-Length: 0\\r\\n\\r\\n"
        == 10.0.0.2:50000 10.0.0.3:9000 +10ms
        > SYN
        < RST ack=0
        """
      let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
      #expect(run.findings(of: "http/server-error").map(\.causedBy) == [cause])
    }
  }

  @Test("A refusal after which the proxy reached its origin at another address explains no error.")
  func reached() async throws {
    let script = """
      == 10.0.0.1:40000 10.0.0.2:80
      \(handshake)> "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
      +60ms
      < "HTTP/1.1 502 Bad Gateway\\r\\nContent-Length: 0\\r\\n\\r\\n"
      == [::1]:50000 [::1]:9000 +10ms
      > SYN
      < RST ack=0
      == 127.0.0.1:50000 127.0.0.1:9000 +13ms
      \(handshake)> FIN
      < FIN
      """
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    #expect(run.findings(of: "tcp/connect-refused").map(\.severity) == [.note])
    #expect(run.findings(of: "http/server-error").map(\.causedBy) == [nil])
  }

  @Test("Of one connection alone, what it shows is shown.")
  func alone() async throws {
    var options = PipelineOptions()
    options.selection.connection = 1
    let script = Self.hops("+30ms\n\(Self.begun)+1s\n< FIN\n> FIN\n", "+10ms\n\(Self.begun)+990ms\n< FIN\n> FIN\n")
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations), options)
    #expect(run.findings(of: "chunked/missing-last-chunk").map(\.causedBy) == [nil])
  }
}

import Events
import RunSupport
import Support
import Testing

/// What comes from behind a proxy is found on both of its sides, and is one cause.
@Suite("Found on both sides of a proxy")
struct PassedFindingsTests {
  private static let asked = "> \"GET /s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: u\\r\\n\\r\\n\"\n"

  private static func hops(_ outer: String, _ inner: String, asked: String = asked) -> String {
    "== 10.0.0.1:40000 10.0.0.2:80\n\(handshake)\(asked)\(outer)"
      + "== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n\(handshake)\(asked)\(inner)"
  }

  /// The causes of the findings of a rule by their connections.
  private static func causes(of rule: RuleID, _ script: String) async throws -> [Int: RuleID?] {
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    let found = run.findings(of: rule).map { ($0.connection ?? 0, $0.causedBy) }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  private static func stream(_ wait: String) -> String {
    "+\(wait)\n< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n\"\n"
      + "+20ms\n< \"data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"a\\\"}}]}\\n\\n\"\n"
      + "+20ms\n< \"data: {\\\"error\\\":{\\\"message\\\":\\\"no\\\",\\\"type\\\":\\\"server_error\\\"}}\\n\\n\"\n> ACK\n"
      + "+20ms\n< FIN\n> FIN\n"
  }

  @Test("An error inside a stream of a model is the origin's; of another server it is one of its own.")
  func error() async throws {
    let rule: RuleID = "llm/error-in-stream"
    #expect(try await Self.causes(of: rule, Self.hops(Self.stream("30ms"), Self.stream("10ms"))) == [1: rule, 2: nil])
    let apart = Self.hops(Self.stream("30ms"), Self.stream("10ms"))
      .replacing("10.0.0.2:50000", with: "10.0.0.9:50000").replacing("User-Agent: u", with: "X: u")
    #expect(try await Self.causes(of: rule, apart) == [1: nil, 2: nil])
  }

  /// An answer of a model that pauses behind its twelfth delta.
  private static func paused(_ wait: String, _ pause: String) -> String {
    let delta = "+30ms\n< \"data: {\\\"choices\\\":[{\\\"delta\\\":{\\\"content\\\":\\\"a\\\"}}]}\\n\\n\"\n> ACK\n"
    return "+\(wait)\n< \"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n\"\n"
      + String(repeating: delta, count: 12) + "+\(pause)\n" + String(repeating: delta, count: 12)
      + "< \"data: [DONE]\\n\\n\"\n> ACK\n< FIN\n> FIN\n"
  }

  @Test("A pause of the origin explains one as long on the client's side, and none that is much longer.")
  func stall() async throws {
    let rule: RuleID = "llm/stall"
    #expect(
      try await Self.causes(of: rule, Self.hops(Self.paused("30ms", "2s"), Self.paused("10ms", "2s"))) == [
        1: rule, 2: nil,
      ])
    #expect(
      try await Self.causes(of: rule, Self.hops(Self.paused("30ms", "5s"), Self.paused("10ms", "2s"))) == [
        1: nil, 2: nil,
      ])
  }

  private static func failed(_ wait: String) -> String {
    "+\(wait)\n< \"HTTP/1.1 500 No\\r\\nContent-Length: 2\\r\\n\\r\\nno\"\n+1s\n> FIN\n< FIN\n"
  }

  @Test("An error of the server that the proxy passed on; one of several that is the proxy's own leaves it a root.")
  func serverError() async throws {
    let rule: RuleID = "http/server-error"
    let asked = { (host: String) in Self.asked.replacing("Host: a", with: "Host: \(host)") }
    let passed =
      "== 10.0.0.1:40000 10.0.0.2:80\n\(handshake)\(asked("shop"))\(Self.failed("30ms"))"
      + "== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n\(handshake)\(asked("origin"))\(Self.failed("10ms"))"
    #expect(try await Self.causes(of: rule, passed) == [1: rule, 2: nil])
    let own = "== 10.0.0.1:40001 10.0.0.2:80 +5s\n\(handshake)\(asked("shop"))\(Self.failed("30ms"))"
    #expect(try await Self.causes(of: rule, passed + own) == [1: nil, 2: nil])
  }

  @Test("A proxy with an address on each side is known by what it passes on: the same failure, a trace, or a session.")
  func twoAddresses() async throws {
    let rule: RuleID = "http/server-error"
    let hops = { (fields: String, own: String) in
      let asked = { (host: String, fields: String) in
        Self.asked.replacing("Host: a\\r\\nUser-Agent: u", with: "Host: \(host)\\r\\n\(fields)")
      }
      return "== 10.0.0.1:40000 10.0.0.2:80\n\(handshake)\(asked("shop", fields))\(Self.failed("30ms"))"
        + "== 10.0.9.2:50000 10.0.9.3:9000 +10ms\n\(handshake)\(asked("origin", own))\(Self.failed("10ms"))"
    }
    let trace = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    // A request without a body may be a health check, of which many fail alike.
    #expect(try await Self.causes(of: rule, hops("User-Agent: u", "User-Agent: u")) == [1: nil, 2: nil])
    let post = hops("User-Agent: u", "User-Agent: u").replacing("GET", with: "POST")
      .replacing("User-Agent: u\\r\\n\\r\\n", with: "User-Agent: u\\r\\nContent-Length: 2\\r\\n\\r\\nhi")
    #expect(try await Self.causes(of: rule, post) == [1: rule, 2: nil])
    for fields in [trace, "Mcp-Session-Id: 7f3a"] {
      #expect(try await Self.causes(of: rule, hops(fields, fields)) == [1: rule, 2: nil], "\(fields)")
    }
    for own in ["User-Agent: v", trace.replacing("00f0", with: "00f1"), "X: 7f3a"] {
      #expect(try await Self.causes(of: rule, hops(trace, own)) == [1: nil, 2: nil], "\(own)")
    }
  }

  @Test("A client gives its request up, and its proxy does so with it: the client's patience is the story.")
  func left() async throws {
    let rule: RuleID = "http/unanswered-request"
    let leave = { (wait: String) in "< ACK\n+\(wait)\n> FIN\n< FIN\n" }
    #expect(try await Self.causes(of: rule, Self.hops(leave("3s"), leave("2992ms"))) == [1: nil, 2: rule])
    // The proxy leaves first: it is the proxy's patience.
    #expect(try await Self.causes(of: rule, Self.hops(leave("3s"), leave("2500ms"))) == [1: nil, 2: nil])
  }

  @Test("A request that the proxy gave up and answered itself was not repeated by the proxy, but by the client.")
  func repeated() async throws {
    let asked = "> \"POST /s HTTP/1.1\\r\\nHost: a\\r\\nUser-Agent: u\\r\\nContent-Length: 2\\r\\n\\r\\nhi\"\n"
    let late = "+5s\n< \"HTTP/1.1 504 Late\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n"
    let script =
      Self.hops("< ACK\n\(late)+400ms\n\(asked)< ACK\n\(late)", "< ACK\n+4985ms\n> RST\n", asked: asked)
      + "== 10.0.0.2:50001 10.0.0.3:9000 +5420ms\n\(handshake)\(asked)< ACK\n+4985ms\n> RST\n"
    #expect(try await Self.causes(of: "http/retried-request", script) == [2: "http/server-error"])
  }

  private typealias S = SocketFrames

  private static func sockets(_ outer: String, _ inner: String) -> String {
    let ask = WebSocketRows.ask(marker: "")
    let open = { (wait: String) in "+\(wait)\n" + WebSocketRows.switching(marker: "") + "> ACK\n" }
    return "== 10.0.0.1:40000 10.0.0.2:80\n\(handshake)\(ask)\(open("30ms"))+1s\n\(outer)"
      + "== 10.0.0.2:50000 10.0.0.3:9000 +10ms\n\(handshake)\(ask)\(open("10ms"))+1s\n\(inner)"
  }

  @Test("Who began to close a WebSocket is the root, though the answer to the Close goes through the proxy, too.")
  func closes() async throws {
    let rule: RuleID = "ws/close-error-code"
    let (up, down) = (S.up(8, bytes: S.close(1011)), S.down(8, bytes: S.close(1011)))
    let servers = Self.sockets("+20ms\n\(down)+20ms\n\(up)< FIN\n> FIN\n", "\(down)+70ms\n\(up)< FIN\n> FIN\n")
    #expect(try await Self.causes(of: rule, servers) == [1: rule, 2: nil])
    let clients = Self.sockets("\(up)+90ms\n\(down)< FIN\n> FIN\n", "+20ms\n\(up)+20ms\n\(down)< FIN\n> FIN\n")
    #expect(try await Self.causes(of: rule, clients) == [1: nil, 2: rule])
  }
}

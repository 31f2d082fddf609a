import Engine
import RunSupport
import Support
import Testing

@Suite("What a silent host explains stands under it")
struct SilentHostsTests {
  private static let lone = "== 10.0.0.1:40009 10.0.0.2:80\n" + handshake + "> len=10\n< len=10\n> ACK\n"
  private static let both = HostSilentRows.asked(1) + HostSilentRows.asked(2, at: "+20ms")

  private static func run(_ script: String) async throws -> CaptureRun {
    try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
  }

  @Test("Bytes that waited for it, on each of its connections.")
  func waits() async throws {
    let run = try await Self.run(Self.both)
    #expect(run.findings(of: "tcp/host-silent").map(\.causedBy) == [nil])
    #expect(
      run.findings(of: "tcp/retransmission-gap").map(\.causedBy?.text) == ["tcp/host-silent", "tcp/host-silent"])
  }

  @Test("Bytes that were lost long before, or long after, have another cause.")
  func elsewhere() async throws {
    let gap = "> len=100\n+2s\n> len=100 @10\n+600ms\n> len=100 @10\n< ACK\n< len=10\n> ACK\n"
    let before = Self.lone + gap + "+20s\n> FIN\n< FIN\n> ACK\n"
    let script = before + Self.both.replacing(":80 ", with: ":80 +15s ").replacing("+15s +20ms", with: "+15020ms")
    let run = try await Self.run(script)
    #expect(run.findings(of: "tcp/host-silent").count == 1)
    let causes = run.findings(of: "tcp/retransmission-gap").map { ($0.connection, $0.causedBy?.text) }
    #expect(causes.filter { $0.1 == nil }.map(\.0) == [1])
    #expect(causes.count == 3)
  }

  @Test("What a proxy answers for an origin that is silent, though it asks from another address.")
  func proxied() async throws {
    let front =
      "== 10.9.0.1:50000 10.9.0.2:80\n" + handshake + "+1s\n> \"GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n+2s\n"
      + "< \"HTTP/1.1 504 Gateway Timeout\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n> ACK\n"
    #expect(
      try await Self.run(front + Self.both).findings(of: "http/server-error").map(\.causedBy?.text)
        == ["tcp/host-silent"])
    let own = front.replacing("504 Gateway Timeout", with: "500 Internal Server Error")
    #expect(try await Self.run(own + Self.both).findings(of: "http/server-error").map(\.causedBy) == [nil])
  }

  @Test(
    "Of one connection that is asked for it is told where it is one of those, and nothing stands under it elsewhere.")
  func selected() async throws {
    let lone = Self.lone + "+20s\n> len=100\n+2s\n> len=100 @10\n< ACK\n< len=10\n> ACK\n"
    let capture = ScriptedCapture(WireFile(lone + Self.both).conversations)
    for (number, told, causes) in [(1, 0, [nil]), (2, 1, ["tcp/host-silent"]), (3, 1, ["tcp/host-silent"])] {
      var options = PipelineOptions()
      options.selection.connection = number
      let run = try await CaptureRun(capture, options)
      #expect(run.findings(of: "tcp/host-silent").count == told, "\(number)")
      #expect(run.findings(of: "tcp/retransmission-gap").map(\.causedBy?.text) == causes, "\(number)")
    }
  }

  @Test("A client that is silent explains nothing of what a proxy answers to others.")
  func client() async throws {
    func push(_ number: Int, _ start: String) -> String {
      "== 10.0.0.1:\(40_000 + number) 10.0.0.2:80 \(start)\n" + handshake + "> len=10\n< len=10\n> ACK\n+200ms\n"
        + "< len=100\n+600ms\n< len=100 @10\n+1200ms\n< len=100 @10\n+2400ms\n< len=100 @10\n+500ms\n> ACK\n"
    }
    let other =
      "== 10.9.0.1:50000 10.9.0.2:80\n" + handshake + "+1s\n> \"GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n\"\n+2s\n"
      + "< \"HTTP/1.1 504 Gateway Timeout\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n> ACK\n"
    let run = try await Self.run(other + push(1, "") + push(2, "+20ms"))
    #expect(run.findings(of: "tcp/host-silent").count == 1)
    #expect(run.findings(of: "http/server-error").map(\.causedBy) == [nil])
  }

  @Test("One that is silent for half a minute is reported then, and what follows later stands under it, too.")
  func long() async throws {
    let on = "+4800ms\n> len=100 @10\n+9600ms\n> len=100 @10\n+19200ms\n> len=100 @10\n"
    let script =
      HostSilentRows.asked(1, then: on + HostSilentRows.answered)
      + HostSilentRows.asked(2, at: "+20ms", then: on + HostSilentRows.answered)
    let run = try await Self.run(script)
    let told = run.findings(of: "tcp/host-silent")
    #expect(told.count == 1 && told.first.map { $0.message.text.contains(" and longer:") } == true)
    #expect(
      run.findings(of: "tcp/retransmission-gap").map(\.causedBy?.text) == ["tcp/host-silent", "tcp/host-silent"])
  }
}

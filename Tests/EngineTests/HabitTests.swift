import Citation
import Events
import RunSupport
import Support
import Testing

@Suite("Habits of agents and servers")
struct HabitTests {
  private static func conversation(
    _ client: Endpoint, _ agent: String, _ server: Endpoint = "10.0.0.9:80"
  ) -> Conversation {
    Conversation(
      MixedCapture.hello
        + "> \"GET /a HTTP/1.1\\r\\nUser-Agent: \(agent)\\r\\nHost: a\\r\\n\\r\\n\"\n"
        + "< \"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n\"\n> FIN\n< FIN\n> ACK\n",
      client: client, server: server)
  }

  /// Two agents on three connections to two servers.
  private static let capture = ScriptedCapture([
    conversation("10.0.0.1:1000", "one/1"), conversation("10.0.0.2:1000", "two/1"),
    conversation("10.0.0.1:1001", "one/1", "10.0.0.8:80"),
  ])

  @Test("The first finding of each is shown, and the others are counted in it.")
  func folded() async throws {
    let run = try await CaptureRun(Self.capture)
    #expect(run.findings(of: "http/host-not-first").map(\.count).sorted() == [1, 2])
    #expect(run.findings(of: "http/host-not-first").map(\.connection) == [1, 2])
    #expect(run.findings(of: "http/date-missing-or-skewed").map(\.count).sorted() == [1, 2])
    #expect(run.summary.lint == UInt64(run.findings.filter { !$0.isDiagnosis }.count))
  }
}

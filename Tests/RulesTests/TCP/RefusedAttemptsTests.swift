import Events
import RunSupport
import Support
import Testing

@Suite("What clients try around a refusal")
struct RefusedAttemptsTests {
  @Test("Both addresses of localhost refuse: neither was harmless, however often the client goes round.")
  func bothRefuse() async throws {
    let script = (0..<6).map { turn in
      """
      == \(turn % 2 == 0 ? "[::1]" : "127.0.0.1"):\(40_000 + turn) \(turn % 2 == 0 ? "[::1]" : "127.0.0.1"):6379 +\(turn * 50)ms
      > SYN
      < RST ack=0

      """
    }
    let findings = try await CaptureRun(WireFile(script.joined()).capture.bytes).findings(of: "tcp/connect-refused")
    #expect(findings.map(\.cost) == Array(repeating: .failed(.connection), count: 6))
  }

  @Test("More refusals than are held are all reported.")
  func many() async throws {
    let script = (0..<1_000).map { turn in
      "== 10.0.0.1:\(10_000 + turn) 10.0.0.2:80 +\(turn)us\n> SYN\n< RST ack=0\n"
    }
    let findings = try await CaptureRun(WireFile(script.joined()).capture.bytes).findings(of: "tcp/connect-refused")
    #expect(findings.count == 1_000)
    #expect(findings.allSatisfy { $0.cost == .failed(.connection) })
  }
}

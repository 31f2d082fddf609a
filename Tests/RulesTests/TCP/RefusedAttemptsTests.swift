import Citation
import Events
import RunSupport
import Support
import Testing

@Suite("Refusals that belong together")
struct RefusedAttemptsTests {
  @Test("Where both refuse, one much later than the other, nothing was harmless.")
  func both() async throws {
    let refused = "> SYN\n< RST ack=0\n"
    let script =
      "== 127.0.0.1:40001 127.0.0.1:80\n" + refused + "== [::1]:40000 [::1]:80 +900ms\n" + refused
      + "== 127.0.0.1:40002 127.0.0.1:443 +4s\n> SYN\n< SYN ACK\n> ACK\n"
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    let findings = run.findings(of: "tcp/connect-refused")
    #expect(findings.count == 2 && findings.allSatisfy { $0.cost == .failed(.connection) })
  }

  @Test("A service that is down for minutes is told soon, and of the rest once.")
  func series() async throws {
    let script = (0..<150).map { "== 10.0.0.1:\(40_001 + $0) 10.0.0.2:80 +\($0 * 2)s\n> SYN\n< RST ack=0\n" }
    let started = "== 10.0.0.1:50000 10.0.0.2:80 +300s\n> SYN\n< SYN ACK\n> ACK\n"
    let run = try await CaptureRun(ScriptedCapture(WireFile(script.joined() + started).conversations))
    let findings = run.findings(of: "tcp/connect-refused")
    #expect(findings.map(\.count) == [16, 134])
    #expect(findings.map(\.alsoOn.count) == [15, 133])
    #expect(findings.map(\.evidence.count) == [8, 8])
    #expect(
      findings.first?.message.text.hasSuffix("15 more attempts of this client failed, too, the last 30.000 s later.")
        == true)
    #expect(findings.last?.message.text.hasSuffix("The attempt 1.999 s after it was accepted.") == true)
    #expect(findings.last?.lastPacket.number == 300)
  }

  @Test("Clients and servers are told apart.")
  func parties() async throws {
    let script = (0..<40).map { number in
      "== 10.0.0.\(1 + number % 4):\(40_001 + number) 10.0.1.\(1 + number / 2 % 2):80 +\(number * 100)ms\n> SYN\n< RST ack=0\n"
    }
    let run = try await CaptureRun(ScriptedCapture(WireFile(script.joined()).conversations))
    #expect(run.findings(of: "tcp/connect-refused").map(\.count) == [10, 10, 10, 10])
  }

  @Test("Of too many clients each refusal is reported.")
  func bound() async throws {
    let script = (0..<600).map { number in
      let client = number % 300
      return
        "== 10.1.\(client / 250).\(1 + client % 250):\(40_000 + number) 10.0.0.2:80 +\(number * 10)ms\n> SYN\n< RST ack=0\n"
    }
    let run = try await CaptureRun(ScriptedCapture(WireFile(script.joined()).conversations))
    let counts = run.findings(of: "tcp/connect-refused").map(\.count)
    #expect(counts.count { $0 == 2 } == 256 && counts.count { $0 == 1 } == 88)
  }
}

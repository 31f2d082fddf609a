import Citation
import Events
import RunSupport
import Support
import Testing

@Suite("Refusals of both addresses of localhost")
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
}

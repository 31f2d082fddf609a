import Events
import Reports
import RunSupport
import Support
import Testing

/// The last line of an overview can be typed as it stands.
@Suite("The next command")
struct NextCommandTests {
  private static func text(_ script: String, _ input: (inout RunInfo) -> Void) async throws -> String {
    var style = TextStyle()
    style.width = 200
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    return try run.report(TextReporter(style, Redaction(isOn: true, salt: [1])), input: input)
  }

  private static let refused = (0..<9).map { "== 10.0.0.1:\(40_001 + $0) 10.0.0.2:80 +\($0)s\n> SYN\n< RST ack=0\n" }
    .joined()

  @Test("It reads the same packets: with the filter, the key log and all points.")
  func input() async throws {
    let plain = try await Self.text(Self.refused) { _ in }
    #expect(plain.contains("next: streamscope test.pcap --connection 1"), "\(plain)")
    let filtered = try await Self.text(Self.refused) {
      $0.inputOptions = [("-f", "port 80 or (port 81)"), ("--keylog", "a.keys")]
    }
    #expect(filtered.contains("next: streamscope test.pcap -f 'port 80 or (port 81)' --keylog a.keys --connection 1"))
    let points = try await Self.text(Self.refused) { $0.points = ["a.pcap", "my b.pcap"] }
    #expect(points.contains("next: streamscope --points a.pcap 'my b.pcap' --connection 1"))
  }

  @Test("A filter that matches nothing is named.")
  func nothing() async throws {
    let run = try await CaptureRun(ScriptedCapture([]))
    let reporter = TextReporter(TextStyle(), Redaction(isOn: true, salt: [1]))
    #expect(try run.report(reporter).contains("The capture holds no packets."))
    let filtered = try run.report(reporter) { $0.inputOptions = [("-f", "port 80")] }
    #expect(filtered.contains("The capture holds no packet that the filter matches."))
  }
}

import Engine
import Events
import RunSupport
import Testing

@Suite("Thresholds")
struct ThresholdTests {
  private static let held = """
    > SYN
    < SYN ACK
    > ACK
    > "GET / HTTP/1.1\\r\\nHost: h\\r\\nUser-Agent: A/1 CFNetwork/1 Darwin/1\\r\\n\\r\\n"
    < "HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: 600\\r\\n\\r\\n" len=100
    +1500ms
    < len=500

    """

  @Test("A finding says what its rule compared with, and a changed value is what it compares with.")
  func changed() async throws {
    let rule: RuleID = "sniff/apple-512-hold"
    let standard = try #require(try await CaptureRun(Self.held).findings(of: rule).first)
    let threshold = try #require(standard.thresholds.keys.first { $0.name == "sniff.hold" })
    #expect(standard.thresholds[threshold] == threshold.standard)

    var options = PipelineOptions()
    options.thresholds.set(threshold, 1_400_000_000)
    let lower = try #require(try await CaptureRun(Self.held, options).findings(of: rule).first)
    #expect(lower.thresholds[threshold] == 1_400_000_000)
    options.thresholds.set(threshold, 1_600_000_000)
    #expect(try await CaptureRun(Self.held, options).findings(of: rule).isEmpty)
  }
}

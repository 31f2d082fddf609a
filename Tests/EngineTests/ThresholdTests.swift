import Engine
import Events
import Rules
import RunSupport
import Support
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

  /// What is told when the capture is read, and by the ends of connections.
  private static let told: [(rule: RuleID, threshold: String, script: String)] = [
    ("tcp/close-wait-linger", "tcp.close-wait", "> SYN\n< SYN ACK\n> ACK\n> FIN\n< ACK\n+40s\n< ACK\n"),
    ("tcp/syn-retry", "tcp.syn-retry", "> SYN\n+1s\n> SYN\n< SYN ACK\n> ACK\n"),
    (
      "tcp/connect-fallback-delay", "tcp.fallback-delay",
      """
      == [2001:db8::1]:40000 [2001:db8::9]:80
      > SYN
      == 192.0.2.1:40002 192.0.2.9:80 +1s
      > SYN
      < SYN ACK
      > ACK
      > "ask"
      < "answer"

      """
    ),
    (
      "stream/pairing-missing", "stream.pair-wait",
      """
      == 10.0.0.1:40000 10.0.0.2:80
      > "POST /up HTTP/1.1\\r\\nHost: h\\r\\nTransfer-Encoding: chunked\\r\\ncid: 7f3a91\\r\\n\\r\\n"
      +2s
      > "5\\r\\nhello\\r\\n"
      +300ms
      > "5\\r\\nhello\\r\\n"
      == 10.0.0.1:40001 10.0.0.2:80 +100ms
      > "GET /down?cid=7f3a91 HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n"
      +1912ms
      < "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n4\\r\\nopen\\r\\n"
      > ACK
      +300ms
      < "4\\r\\nmore\\r\\n"
      > ACK
      +300ms
      < "4\\r\\nmore\\r\\n"
      > ACK

      """
    ),
  ]

  @Test("A changed value holds for what is told over several connections.", arguments: told.indices)
  func capture(_ row: Int) async throws {
    let (rule, name, script) = Self.told[row]
    let capture = ScriptedCapture(WireFile(script).conversations)
    let standard = try #require(try await CaptureRun(capture).findings(of: rule).first)
    let threshold = try #require(standard.thresholds.keys.first { $0.name == name })

    var options = PipelineOptions()
    options.thresholds.set(threshold, threshold.standard - 1)
    let lower = try #require(try await CaptureRun(capture, options).findings(of: rule).first)
    #expect(lower.thresholds[threshold] == threshold.standard - 1)
    options.thresholds.set(threshold, 60_000_000_000)
    #expect(try await CaptureRun(capture, options).findings(of: rule).isEmpty)
  }

  @Test("A threshold of nothing makes everything a finding, and traps nowhere.")
  func nothing() async throws {
    var options = PipelineOptions()
    for info in Registry.all { for threshold in info.thresholds { options.thresholds.set(threshold, 0) } }
    for row in Self.told {
      let run = try await CaptureRun(ScriptedCapture(WireFile(row.script).conversations), options)
      #expect(run.summary.connections > 0)
    }
    let hops = """
      == 10.0.0.1:40000 10.0.0.2:80
      > "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
      +40ms
      < "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
      == 10.0.0.2:50000 10.0.0.3:9000 +10ms
      > "GET /s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
      +10ms
      < "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"

      """
    let run = try await CaptureRun(ScriptedCapture(WireFile(hops).conversations), options)
    #expect(run.findings(of: "proxy/hop-joined").count == 1)
  }
}

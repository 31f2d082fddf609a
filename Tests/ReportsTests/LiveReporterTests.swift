import Engine
import Events
import RunSupport
import Support
import Testing

@testable import Reports

@Suite("Lines as it happens")
struct LiveReporterTests {
  private static let script =
    SampleRuns.hello
    + #"> "GET /s\x1b[2J?access_token=hunter2 HTTP/1.1\r\nHost: a.example\r\n\r\n""# + "\n"
    + #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nd\r\ndata: f\x1brst\n\n\r\n""#
    + "\n+500ms\n" + #"< "0\r\n\r\n""# + "\n> FIN\n< FIN\n> ACK\n"

  private func lines(_ script: String, _ change: (inout TextStyle) -> Void = { _ in }) async throws -> [String] {
    var options = PipelineOptions()
    options.pieces = PieceOptions(isTold: true, previewLimit: 256)
    let run = try await CaptureRun(ScriptedCapture(script).bytes, options)
    var style = TextStyle()
    change(&style)
    var reporter = LiveReporter(style, Redaction(isOn: true, salt: [1]))
    var sink = MemorySink()
    var info = RunInfo(version: "0", features: [], file: "eth0")
    info.origin = run.origin
    try reporter.begin(info, to: &sink)
    for item in run.items { try reporter.report(item, to: &sink) }
    try reporter.finish(run.summary, to: &sink)
    return String(decoding: sink.bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
  }

  @Test("Each message, exchange and finding is a line, and the report follows.")
  func story() async throws {
    let lines = try await lines(Self.script)
    #expect(lines[0] == "time s gap packet stream kind size begins")
    #expect(lines[1].hasPrefix("0.0240 #5 #1.1 ← event 5 B [5 B sha256:"))
    #expect(lines[2].hasPrefix("0.5250 #6 #1.1 ← exchange GET /s"))
    #expect(lines[2].contains("→ 200 in"))
    #expect(lines.contains { $0.hasPrefix("test.pcap") } || lines.contains { $0.contains("1 connection, 1 exchange") })
    let all = lines.joined(separator: "\n")
    #expect(!all.contains("hunter2"))
    #expect(!all.unicodeScalars.contains { $0 != "\n" && isForbidden($0) })
  }

  @Test("A diagnosis is reported with its severity and its rule; remarks only where they are wanted.")
  func findings() async throws {
    let broken = SampleRuns.hello + "> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n> FIN\n< FIN\n> ACK\n"
    let told = try await lines(broken).filter { $0.contains("tcp/overlap-conflict") }
    #expect(told.first?.contains("#1") == true)
    #expect(told.first?.contains("tcp/overlap-conflict") == true)
    let plain = try await lines(Self.script).filter { $0.contains("stream/cacheable") && !$0.contains("lint") }
    let shown = try await lines(Self.script) { $0.showsLint = true }.filter { $0.contains("note stream/cacheable") }
    #expect(plain.allSatisfy { !$0.contains(" note ") })
    #expect(shown.count == 1)
  }

  @Test("Quiet: findings and the verdict.")
  func quiet() async throws {
    let lines = try await lines(Self.script) { $0.isQuiet = true }
    #expect(!lines.contains { $0.contains("event 5 B") || $0.contains("exchange GET") })
  }
}

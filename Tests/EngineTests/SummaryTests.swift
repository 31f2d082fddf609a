import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

@Suite("The figures of a run")
struct SummaryTests {
  private static let hello = MixedCapture.hello

  @Test("Connections, bytes and findings are counted.")
  func counts() async throws {
    let capture = ScriptedCapture([
      Conversation("> SYN\n< RST ack=0\n", client: "10.0.0.1:1000"),
      Conversation(Self.hello + "> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n", client: "10.0.0.2:1000"),
      Conversation(Self.hello + "> \"aaaa\" !lost\n> \"bb\"\n< ACK\n", client: "10.0.0.3:1000"),
      Conversation("> \"middle\"\n< ACK\n", client: "10.0.0.4:1000"),
      Conversation("> \"lonely\"\n", client: "10.0.0.5:1000"),
    ])
    let summary = try await CaptureRun(capture).summary
    #expect(summary.connections == 5)
    #expect(summary.midstream == 2)
    #expect(summary.oneSided == 1)
    #expect(summary.withMissingBytes == 1)
    #expect(summary.missingBytes == 4)
    #expect(summary.retransmittedBytes == 9)
    #expect(summary.streamBytes == 9 + 2 + 6 + 6)
    #expect(summary.hurt == 2)
    #expect(summary.findings == [.error: 2])
    #expect(summary.lint == 1)
    #expect(summary.capture.packets == UInt64(capture.frames.count))
    #expect(summary.capture.bytes == UInt64(capture.bytes.count))
  }

  /// Three packets are stamped before the fourth, which sets the clock until time has caught up.
  @Test("Time that runs backwards is counted, and no delay is negative.")
  func reversal() async throws {
    let run = try await CaptureRun(Self.hello + "> \"one\"\n+-50ms\n< \"two\"\n+10ms\n> \"three\"\n< ACK\n")
    #expect(run.summary.capture.timeReversals == 3)
    #expect(run.summary.capture.duration == 3_000_000)
    let record = try #require(run.connections.first)
    #expect(record.timeline.allSatisfy { $0.last.time >= $0.first.time })
    #expect(record.timeline.map(\.first.time) == record.timeline.map(\.first.time).sorted())
    #expect(record.sides.toServer.bytes == 8)
  }

  @Test("An interrupted run reports what it read, and says so.")
  func interrupted() async throws {
    let stop = StopFlag()
    let run = try await CaptureRun(MixedCapture.capture.bytes, pieceLength: 2_000, stop: stop) { progress in
      if progress.packets > 50 { stop.raise() }
    }
    #expect(!run.summary.capture.isComplete)
    #expect(run.summary.capture.problems == ["interrupted; the report covers what was read until then"])
    #expect(run.summary.capture.packets > 50)
    #expect(run.summary.capture.packets < UInt64(MixedCapture.capture.frames.count))
    #expect(run.connections.count == Int(run.summary.connections))
    #expect(!run.connections.isEmpty)
  }

  @Test("Rules over the whole capture come last.")
  func captureRules() async throws {
    let capture = ScriptedCapture("> SYN\n< RST ack=0\n")
    let run = try await CaptureRun(capture.bytes.dropLast(1) + [])
    guard case .finding(let last)? = run.items.last else {
      Issue.record("the last item is no finding")
      return
    }
    #expect(last.rule == "capture/truncated")
    #expect(last.subject == .capture)
    #expect(last.connection == nil)
    #expect(run.summary.capture.cut?.packets == 1)
    #expect(!run.summary.capture.isComplete)
  }

  @Test("A selection leaves out rules and connections, but counts all connections.")
  func selection() async throws {
    var options = PipelineOptions()
    options.selection.connection = 3
    let third = try await CaptureRun(MixedCapture.capture, options)
    #expect(third.connections.map(\.number) == [3])
    #expect(third.findings.allSatisfy { $0.connection == 3 } && !third.findings.isEmpty)
    #expect(third.summary.connections == 45)

    options = PipelineOptions()
    options.selection.select = ["tcp/"]
    options.selection.ignore = ["tcp/overlap"]
    let rules = Set(try await CaptureRun(MixedCapture.capture, options).findings.map(\.rule))
    #expect(rules == ["tcp/connect-refused", "tcp/rst-out-of-window", "tcp/syn-retry"])
  }

  @Test("An empty capture has nothing, and begins and ends.")
  func empty() async throws {
    let run = try await CaptureRun(ScriptedCapture([]))
    #expect(run.items.isEmpty)
    #expect(run.origin == nil)
    #expect(run.summary.capture.packets == 0)
    #expect(run.summary.capture.isComplete)
  }
}

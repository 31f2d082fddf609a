import Comparison
import Engine
import Events
import Support

/// Two captures through the whole engine, and compared with each other, as `compare` does it.
package struct ComparisonRun: Sendable {
  package let a: Recording
  package let b: Recording
  package let record: ComparisonRecord

  package init(
    _ a: [UInt8], _ b: [UInt8], _ options: ComparisonOptions = ComparisonOptions()
  ) async throws {
    self.a = try await Self.recording("a.pcap", a)
    self.b = try await Self.recording("b.pcap", b)
    record = Comparer(self.a, self.b, options).compare()
  }

  package init(
    _ a: ScriptedCapture, _ b: ScriptedCapture, _ options: ComparisonOptions = ComparisonOptions()
  ) async throws {
    try await self.init(a.bytes, b.bytes, options)
  }

  /// Scripts of one or several conversations; see WireFile.
  package init(_ a: String, _ b: String, _ options: ComparisonOptions = ComparisonOptions()) async throws {
    try await self.init(WireFile(a).capture, WireFile(b).capture, options)
  }

  private static func recording(_ file: String, _ bytes: [UInt8]) async throws -> Recording {
    var options = PipelineOptions()
    options.digests = true
    options.timelineLimit = 0
    options.pieces = PieceOptions(isTold: true, previewLimit: 0, isCompared: true)
    let run = try await CaptureRun(bytes, file: file, options)
    var recording = Recording(file: file)
    for item in run.items { recording.take(item) }
    recording.finish(run.summary)
    return recording
  }
}

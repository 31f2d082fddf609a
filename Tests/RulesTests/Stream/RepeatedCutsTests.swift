import Events
import RunSupport
import Support
import Testing

@Suite struct RepeatedCutsTests {
  /// Streams that are cut after these silences.
  private static func confidences(_ silences: [Int]) async throws -> [Confidence] {
    let script = silences.enumerated().map { number, silence in
      "== 10.0.0.1:\(40_000 + number) 10.0.0.2:80 +\(number * 100)ms\n" + SilenceRows.ticking
        + "+\(silence)ms\n< FIN\n> FIN\n"
    }.joined()
    let run = try await CaptureRun(ScriptedCapture(WireFile(script).conversations))
    return run.findings(of: "stream/cut-after-round-silence").map(\.confidence)
  }

  @Test("A second cut after the same silence is no coincidence.")
  func repeated() async throws {
    #expect(try await Self.confidences([5_000, 5_010]) == [.low, .medium])
    #expect(try await Self.confidences([5_000, 6_000]) == [.low, .low])
  }
}

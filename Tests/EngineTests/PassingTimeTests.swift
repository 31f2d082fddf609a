import Capture
import Engine
import Events
import RunSupport
import Support
import Testing
import Trace

@Suite("Packets as they come")
struct PassingTimeTests {
  /// A capture that is read, and then a while in which nothing comes.
  private final class Pausing: CaptureSource {
    private let base: CaptureFile
    private var pauses = 3
    private let hasClock: Bool
    private var last = Timestamp.zero
    private(set) var clock: Timestamp?

    init(_ bytes: [UInt8], hasClock: Bool) throws {
      base = try CaptureFile(MemorySource(bytes), name: "test")
      self.hasClock = hasClock
    }

    var info: CaptureInfo { base.info }
    var progress: (read: UInt64, size: UInt64?) { (0, nil) }

    func fill(_ window: inout PacketWindow) throws(CaptureError) -> Bool {
      if try base.fill(&window) {
        if let packet = window.packets.last { last = packet.time }
        return true
      }
      window.packets.removeAll(keepingCapacity: true)
      if hasClock { clock = last.advanced(by: 3_600_000_000_000) }
      pauses -= 1
      return pauses >= 0
    }
  }

  private static let closed = "> SYN\n< SYN ACK\n> ACK\n> \"ask\"\n< \"answer\"\n> ACK\n> FIN\n< FIN\n> ACK\n"

  @Test("A connection that is over is told when its time is up, though no packet comes.", arguments: [true, false])
  func told(hasClock: Bool) async throws {
    var pipeline = Pipeline(
      try Pausing(ScriptedCapture(Self.closed).bytes, hasClock: hasClock), file: "test", PipelineOptions())
    var told = 0
    var whileReading = 0
    let summary = try await pipeline.run(
      stop: StopFlag(), progress: { _ in whileReading = told }, begin: { _ in },
      emit: { item in if case .connection = item { told += 1 } })
    #expect(whileReading == (hasClock ? 1 : 0))
    #expect(told == 1)
    // Time that passed without packets is in no figure.
    #expect(summary.capture.duration < 1_000_000_000)
    #expect(summary.capture.timeReversals == 0)
  }
}

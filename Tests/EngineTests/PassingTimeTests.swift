import Capture
import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

@Suite("Packets as they come")
struct PassingTimeTests {
  /// A capture that is read, and then a while in which nothing comes.
  private final class Pausing: CaptureSource {
    private let base: CaptureFile
    private var pauses = 3
    private let hasClock: Bool
    private var last = Timestamp.zero
    private(set) var clock: Timestamp?
    private let loss: CaptureLoss?

    init(_ bytes: [UInt8], hasClock: Bool, loss: CaptureLoss? = nil) throws {
      base = try CaptureFile(MemorySource(bytes), name: "test")
      self.hasClock = hasClock
      self.loss = loss
    }

    var info: CaptureInfo {
      var info = base.info
      if let loss, pauses < 3 { info.losses = [loss] }
      return info
    }
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

  private static let streaming =
    "> SYN\n< SYN ACK\n> ACK\n"
    + #"> "GET /s?token=1 HTTP/1.1\r\nHost: a.example\r\n\r\n""# + "\n"
    + #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nd\r\ndata: first\n\n\r\n""#
    + "\n> ACK\n"

  @Test("What is going on is told while it is, with the last byte and why nothing comes.")
  func openStreams() async throws {
    var options = PipelineOptions()
    options.streamInterval = 1
    var pipeline = Pipeline(
      try Pausing(ScriptedCapture(Self.streaming).bytes, hasClock: true), file: "test", options)
    var seen: [OpenStream] = []
    _ = try await pipeline.run(
      stop: StopFlag(), progress: { if let streams = $0.openStreams { seen = streams } }, begin: { _ in },
      emit: { _ in })
    let stream = try #require(seen.first)
    #expect(seen.count == 1)
    #expect(stream.key == ExchangeKey(connection: 1, number: 1) && stream.direction == .toClient && stream.isBody)
    #expect(stream.kind == "text/event-stream" && stream.title.hasPrefix("GET /s") && !stream.title.contains("token"))
    #expect(stream.first.number == 5 && stream.last.number == 5 && stream.bytes == 13)
    #expect(stream.cause == .senderIdle)
  }

  @Test(
    "What says nothing for long is put away, open and half open, though no packet comes.",
    arguments: [(1_800_000_000_000, true), (7_200_000_000_000, false)] as [(Int64, Bool)])
  func idle(limit: Int64, isPutAway: Bool) async throws {
    var options = PipelineOptions()
    options.idleLimit = limit
    let halfOpen = Conversation("> SYN\n", client: "10.0.0.1:40002", server: "10.0.0.3:443")
    let capture = ScriptedCapture([Conversation(Self.streaming), halfOpen])
    var pipeline = Pipeline(try Pausing(capture.bytes, hasClock: true), file: "test", options)
    var told: [ConnectionEnd.Kind] = []
    var whileReading = 0
    let summary = try await pipeline.run(
      stop: StopFlag(), progress: { _ in whileReading = told.count }, begin: { _ in },
      emit: { item in if case .connection(let record) = item { told.append(record.end.kind) } })
    #expect(whileReading == (isPutAway ? 2 : 0))
    #expect(told.count == 2)
    #expect(told.contains(.evicted) == isPutAway)
    #expect(summary.capture.limits.isEmpty != isPutAway, "\(summary.capture.limits)")
  }

  @Test("Of what is over nothing is going on.")
  func nothingOpen() async throws {
    var options = PipelineOptions()
    options.streamInterval = 1
    var pipeline = Pipeline(try Pausing(ScriptedCapture(Self.closed).bytes, hasClock: true), file: "test", options)
    var looks = 0
    var seen = 0
    _ = try await pipeline.run(
      stop: StopFlag(),
      progress: {
        looks += $0.openStreams == nil ? 0 : 1
        seen += $0.openStreams?.count ?? 0
      }, begin: { _ in }, emit: { _ in })
    #expect(looks > 0 && seen == 0)
  }

  @Test("Where packets were lost is told, and findings around it are less sure.", arguments: [true, false])
  func losses(touches: Bool) async throws {
    let capture = ScriptedCapture("> SYN\n< SYN ACK\n> ACK\n> \"GET /good\"\n> \"GET /evil\" @0\n< ACK\n< RST\n")
    let place = touches ? 4...5 : 90...95
    let loss = CaptureLoss(
      packets: 1_204, after: PacketRef(number: UInt64(place.lowerBound), time: .zero),
      before: PacketRef(number: UInt64(place.upperBound), time: .zero))
    var pipeline = Pipeline(
      try Pausing(capture.bytes, hasClock: true, loss: loss), file: "test", PipelineOptions())
    var told: [CaptureLoss] = []
    var findings: [Finding] = []
    let summary = try await pipeline.run(
      stop: StopFlag(), progress: { _ in }, begin: { _ in },
      emit: { item in
        if case .loss(let loss) = item { told.append(loss) }
        if case .finding(let finding) = item { findings.append(finding) }
      })
    #expect(
      told.map(\.sentence) == ["capture lost 1,204 packets between #\(place.lowerBound) and #\(place.upperBound)"])
    #expect(summary.capture.losses == told)
    let sure = try await CaptureRun(capture.bytes).findings(of: "tcp/overlap-conflict")
    let conflict = try #require(findings.first { $0.rule == "tcp/overlap-conflict" })
    let notes = conflict.evidence.map(\.note)
    #expect(notes.contains { $0 == "less certain: the " + told[0].sentence } == touches)
    #expect((conflict.confidence < sure[0].confidence) == touches)
  }

  /// A packet a window, each with bytes of its own or with those of all before.
  private final class Trickling: CaptureSource {
    private let base: CaptureFile
    private var whole = PacketWindow()
    private var next = 0
    private let isShared: Bool

    init(_ bytes: [UInt8], isShared: Bool) throws {
      base = try CaptureFile(MemorySource(bytes), name: "test")
      self.isShared = isShared
      _ = try base.fill(&whole)
    }

    var info: CaptureInfo { base.info }
    var progress: (read: UInt64, size: UInt64?) { (0, nil) }

    func fill(_ window: inout PacketWindow) -> Bool {
      window.packets.removeAll()
      guard next < whole.packets.count else { return false }
      var packet = whole.packets[next]
      let range = packet.offset..<packet.offset + packet.capturedLength
      window.continues = isShared && next > 0
      if isShared {
        window.bytes.replaceSubrange(0..<range.upperBound, with: whole.bytes[..<range.upperBound])
      } else {
        packet.offset = 0
        window.bytes.replaceSubrange(0..<range.count, with: whole.bytes[range])
      }
      window.packets = [packet]
      next += 1
      return true
    }
  }

  @Test("Copies are compared across many small windows that share their bytes.", arguments: [true, false])
  func sharedWindows(isShared: Bool) async throws {
    let script =
      "> SYN\n< SYN ACK\n> ACK\n> \"GET /good\"\n" + String(repeating: "> \"more\"\n", count: 18)
      + "> \"GET /evil\" @0\n< RST\n"
    var pipeline = Pipeline(
      try Trickling(ScriptedCapture(script).bytes, isShared: isShared), file: "test", PipelineOptions())
    var rules: Set<RuleID> = []
    _ = try await pipeline.run(
      stop: StopFlag(), progress: { _ in }, begin: { _ in },
      emit: { item in if case .finding(let finding) = item { rules.insert(finding.rule) } })
    #expect(rules.contains("tcp/overlap-conflict") == isShared)
  }
}

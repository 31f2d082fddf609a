import Engine
import Events
import RunSupport
import Support
import Testing

@testable import Reports

@Suite("Bounds of documents")
struct DocumentBoundsTests {
  private static let stream = """
    > SYN\n+20ms\n< SYN ACK\n> ACK\n
    > "GET /events HTTP/1.1\\r\\nHost: a.example\\r\\n\\r\\n"
    < "HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
    +1s\n< "8\\r\\ndata: 1\\n\\r\\n"\n< "1\\r\\n\\n\\r\\n"
    +9s\n< "9\\r\\ndata: 2\\n\\n\\r\\n"\n< ACK\n< RST\n
    """

  private static func runs() async throws -> [CaptureRun] {
    var options = PipelineOptions()
    options.timelineLimit = 200
    options.drawsWindows = true
    options.pieces = PieceOptions(isTold: true, previewLimit: 64)
    var runs = [try await CaptureRun(stream, options)]
    for name in ["troubled", "several", "large"] { runs.append(try await SampleRuns.run(name, options)) }
    return runs
  }

  private static func document(_ run: CaptureRun, _ bounds: DocumentBounds, for format: DocumentFormat?) -> DocumentNode
  {
    var reporter = reporter(run, bounds)
    return format == .html ? reporter.page(run.summary) : reporter.document(run.summary)
  }

  private static func reporter(_ run: CaptureRun, _ bounds: DocumentBounds) -> JSONReporter {
    var reporter = JSONReporter(Redaction(isOn: true, salt: [1]), bounds)
    var info = RunInfo(version: "0.0.0", features: [], file: "a.pcap")
    info.origin = run.origin
    reporter.begin(info)
    for item in run.items { reporter.keep(item) }
    return reporter
  }

  @Test("What a format does not read of a document is not missed.", arguments: DocumentFormat.allCases)
  func parts(_ format: DocumentFormat) async throws {
    var bounds = DocumentBounds()
    bounds.parts = format.parts
    for run in try await Self.runs() {
      let whole = Self.document(run, DocumentBounds(), for: format)
      let part = Self.document(run, bounds, for: format)
      #expect((part == whole) == (format.parts == .all))
      #expect(try DocumentFixture.text(format, [part]) == DocumentFixture.text(format, [whole]))
    }
  }

  @Test(
    "A document whose connections are made while they are read reads as the whole one.",
    arguments: [DocumentFormat.har, .trace])
  func readings(_ format: DocumentFormat) async throws {
    #expect(format.isConnectionwise)
    let runs = try await Self.runs()
    let whole = runs.map { Self.document($0, DocumentBounds(), for: format) }
    for several in [runs.indices, 0..<1, 1..<2, 2..<3, 3..<4] {
      var readings = runs[several].map { Self.reporter($0, DocumentBounds()).reading($0.summary) }
      #expect(readings.allSatisfy { $0.frame["connections"] == .array([]) })
      var sink = MemorySink()
      try format.write(&readings, DocumentFixture.context, to: &sink)
      let text = try DocumentFixture.text(format, Array(whole[several]))
      #expect(String(decoding: sink.bytes, as: UTF8.self) == text)
    }
  }

  @Test("What was read is held no longer.")
  func readOnce() async throws {
    let run = try await SampleRuns.run("several", PipelineOptions())
    var reading = Self.reporter(run, DocumentBounds()).reading(run.summary)
    var connections = 0
    reading.connections { _ in connections += 1 }
    #expect(connections == run.connections.count && connections > 1)
    reading.connections { _ in connections += 1 }
    #expect(connections == run.connections.count)
  }

  @Test("Timelines that are too much together are short, then missing, and say by how much.")
  func timelines() async throws {
    let run = try await SampleRuns.run("large", PipelineOptions(timelineLimit: 200))
    let lengths = run.connections.map { Int64($0.timeline.count) }
    func left(_ memory: Int) -> [(kept: Int64, cut: Int64)] {
      Self.document(run, DocumentBounds(DocumentMemory(memory)), for: nil).elements("connections").map {
        (Int64($0.elements("timeline").count), $0.integer("timelineCut") ?? 0)
      }
    }
    #expect(left(1 << 20).map(\.kept) == lengths)
    let some = left(64 << 10)
    #expect(zip(some, lengths).allSatisfy { $0.kept + $0.cut == $1 })
    #expect(some.contains { $0.cut > 0 } && some[0].cut == 0)
    #expect(some.reduce(0) { $0 + $1.kept } * 200 < 12 << 10)
    #expect(left(0).allSatisfy { $0.kept == 0 })
  }

  @Test("A short timeline keeps its beginning and its end.")
  func ends() async throws {
    var record = try #require(
      try await SampleRuns.run("troubled", PipelineOptions(timelineLimit: 200)).connections.first)
    let whole = record.timeline
    record.shortenTimeline(to: 8)
    #expect(record.timeline == Array(whole.prefix(6) + whole.suffix(2)))
    #expect(record.timelineCut == UInt64(whole.count - 8))
    #expect(record.timelineCuts.last?.packet == whole[whole.count - 2].first.number)
  }

  @Test(
    "Where there is little room left, only a connection with a diagnosis has its whole timeline.",
    arguments: [false, true])
  func hurt(isHurt: Bool) async throws {
    var record = try #require(
      try await SampleRuns.run("troubled", PipelineOptions(timelineLimit: 200)).connections.first)
    record.timeline = Array(repeating: record.timeline[0], count: 100)
    record.pauses = []
    record.isHurt = isHurt
    // It fits into all that connections may hold, and not into two thirds of it.
    let size = 1_024 + 100 * (MemoryLayout<TimelineEntry>.stride + 48)
    var bounds = DocumentBounds(DocumentMemory(size * 5 / 4 * 16 / 3))
    bounds.fit(&record)
    #expect(record.timeline.count == (isHurt ? 100 : 16))
    #expect(record.timelineCut == (isHurt ? 0 : 84))
  }

  @Test("Of a timeline of which only heads are kept, there is no room for more.", arguments: [true, false])
  func landmarks(keepsHeads: Bool) async throws {
    var record = try #require(
      try await SampleRuns.run("troubled", PipelineOptions(timelineLimit: 200)).connections.first)
    let heads = record.timeline.count(where: \.isLandmark)
    let rest = try #require(record.timeline.first { !$0.isLandmark })
    record.timeline += Array(repeating: rest, count: 200)
    var bounds = DocumentBounds()
    bounds.parts = keepsHeads ? .landmarks : []
    bounds.fit(&record)
    #expect(record.timeline.count == (keepsHeads ? heads : 0) && heads > 0)
    #expect(record.timeline.capacity < 2 * (heads + 4))
  }

  @Test("Exchanges that are too much together are counted.")
  func exchanges() async throws {
    let run = try #require(try await Self.runs().first)
    let none = Self.document(run, DocumentBounds(DocumentMemory(0)), for: nil)
    #expect(none.integer("exchangesCut") == 1)
    #expect(none.elements("connections").allSatisfy { $0.elements("exchanges").isEmpty })
  }
}

extension PipelineOptions {
  fileprivate init(timelineLimit: Int) {
    self.init()
    self.timelineLimit = timelineLimit
  }
}

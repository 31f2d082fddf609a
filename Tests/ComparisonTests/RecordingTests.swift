import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("What is kept of a capture")
struct RecordingTests {
  private static func items() async throws -> CaptureRun {
    var options = PipelineOptions()
    options.pieces = PieceOptions(isTold: true, previewLimit: 0, isCompared: true)
    return try await CaptureRun(
      WireFile(
        Talk.exchange(
          Place.front, Talk.request(),
          Talk.answer("200 OK", ["Transfer-Encoding: chunked"], body: #"2\r\nok\r\n0\r\n\r\n"#))
      ).capture, options)
  }

  @Test("Exchanges, pieces and findings beyond their bounds are counted and said.")
  func bounds() async throws {
    let run = try await Self.items()
    var recording = Recording(file: "a.pcap")
    let finding = try #require(
      try await CaptureRun(
        WireFile(Talk.exchange(Place.front, Talk.request("GET /x", ["X: a\\0b"]))).capture
      ).findings.first)
    for item in run.items {
      let count =
        switch item {
        case .exchange: Recording.exchangeLimit + 2
        case .piece: Recording.pieceLimit + 3
        default: 1
        }
      for _ in 0..<count { recording.take(item) }
    }
    for _ in 0..<(Recording.findingLimit + 4) { recording.take(.finding(finding)) }
    recording.finish(run.summary)
    #expect(recording.exchanges.count == Recording.exchangeLimit)
    #expect(recording.exchanges.first?.pieces.count == Recording.pieceLimit)
    #expect(recording.exchanges.first?.isCut == true)
    #expect(recording.findings.count == Recording.findingLimit)
    #expect(recording.limits.contains("a.pcap: 2 exchanges not compared"))
    #expect(recording.limits.contains("a.pcap: 3 chunks or messages not compared"))
    #expect(recording.limits.contains { $0.hasSuffix("findings not compared") })
  }

  @Test("A connection whose exchanges were too many is not taken for one without.")
  func leftOut() async throws {
    let run = try await Self.items()
    var recording = Recording(file: "a.pcap")
    var exchange = try #require(run.exchanges.first)
    exchange.key.connection = 77
    for _ in 0..<Recording.exchangeLimit { recording.take(.exchange(exchange)) }
    for item in run.items { recording.take(item) }
    recording.finish(run.summary)
    #expect(recording.bare.isEmpty)
    #expect(recording.limits == ["a.pcap: 1 exchange not compared"])
  }

  @Test("Bodies that leave too much behind are compared by their figures, which is said.")
  func trails() async throws {
    var record = try #require(try await Self.items().exchanges.first?.response?.record)
    var trail = BodyTrail(isDecoded: false)
    trail.bytes = 9
    trail.arrivals = [MessageRecord.Milestone](repeating: .init(bytes: 1, packet: record.first), count: 1_024)
    record.trail = trail
    var exchange = ExchangeRecord(ExchangeKey(connection: 1, number: 1))
    exchange.response = Message(record)
    var recording = Recording(file: "a.pcap")
    for _ in 0..<2_000 { recording.take(.exchange(exchange)) }
    recording.finish(Summary(capture: CaptureRecord(file: "a.pcap")))
    #expect(recording.limits.contains { $0.hasSuffix("are compared by size and count only") })
  }
}

import Citation
import Events
import Testing

@testable import Queries

@Suite("Bounds of assertions")
struct AssertionLimitTests {
  /// Events of one exchange, each so many milliseconds after the one before it.
  private static func run(_ gaps: [Int64], _ assertions: [String], _ limits: AssertionRun.Limits) throws
    -> [AssertionResult]
  {
    var run = AssertionRun(try assertions.map { try Assertion($0, AssertionSeries.catalogue) }, limits)
    var packet = PacketRef(number: 1, time: .zero)
    for gap in [0] + gaps {
      packet = PacketRef(number: packet.number + 1, time: packet.time.advanced(by: gap * 1_000_000))
      var piece = Item(.event, .toClient, first: packet, completed: packet, bytes: 8)
      piece.key = ExchangeKey(connection: 1, number: 1)
      run.take(.piece(Shared(piece)))
    }
    return run.results(Summary(capture: CaptureRecord(file: "")))
  }

  @Test("Beyond the samples that are kept, a percentile is of buckets: said, and inconclusive near the limit.")
  func buckets() throws {
    let gaps = (1...40).map { Int64($0) }
    let sentences = [
      "p50(sse.gap) < 20ms", "p50(sse.gap) < 21ms", "p50(sse.gap) < 30ms", "p50(sse.gap) > 30ms",
      "p50(sse.gap) == 20ms",
      "max(sse.gap) < 40ms",
    ]
    var limits = AssertionRun.Limits()
    let exact = try Self.run(gaps, sentences, limits)
    #expect(exact.map(\.verdict) == [.failed, .passed, .passed, .failed, .passed, .failed])
    #expect(exact.allSatisfy { $0.notes.isEmpty && $0.samples == 40 })
    #expect(exact.map(\.observed?.value) == Array(repeating: 20_000_000, count: 5) + [40_000_000])
    limits.samples = 40 * 5
    #expect(try Self.run(gaps, sentences, limits) == exact)
    limits.samples = 39 * 5
    let rounded = try Self.run(gaps, sentences, limits)
    #expect(rounded.map(\.verdict) == [.inconclusive, .inconclusive, .passed, .failed, .inconclusive, .failed])
    #expect(rounded.allSatisfy { $0.samples == 40 })
    #expect(rounded[2].notes == ["within five per cent, from 40 samples"])
    #expect(rounded[0].notes.last == "too close to the limit to decide")
    // What has no percentile stays exact.
    #expect(rounded[5] == exact[5])
  }

  @Test("What cannot wait until it is known whether it counts makes the assertion inconclusive.")
  func waiting() throws {
    let sentence = ["count(sse.gap where path == '/') == 0", "count(sse.gap) == 4"]
    let results = try Self.run([1, 2, 3, 4], sentence, AssertionRun.Limits(waiting: 3))
    #expect(results.map(\.verdict) == [.inconclusive, .passed])
    // The exchange never came.
    #expect(results[0].notes.first?.contains("4 samples could not be tested") == true)
  }

  @Test("A percentile says nothing with one sample too few.", arguments: [(99, false), (100, true)])
  func few(_ count: Int64, isEnough: Bool) throws {
    let result = try #require(try Self.run((1...count).map { $0 }, ["p99(sse.gap) < 1s"], AssertionRun.Limits()).first)
    #expect(result.verdict == (isEnough ? .passed : .inconclusive))
    #expect(result.notes == (isEnough ? [] : ["needs 100 samples, has 99"]))
    #expect(result.observed?.value == 99_000_000)
    #expect(result.worst?.packet == UInt64(count) + 2)
  }

  @Test("Every series has a name, a meaning and no field twice.")
  func catalogue() {
    #expect(Set(AssertionSeries.catalogue.map(\.name)).count == AssertionSeries.allCases.count)
    for series in AssertionSeries.allCases {
      #expect(series.meaning.hasSuffix("."))
      let names = series.series.vocabulary.fields.map(\.name)
      #expect(Set(names).count == names.count)
    }
  }
}

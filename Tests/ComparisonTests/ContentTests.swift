import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("How two bodies compare")
struct ContentTests {
  private static func body(_ count: Int, changedAt place: Int? = nil) -> [UInt8] {
    (0..<count).map { index in
      let byte = UInt8(truncatingIfNeeded: index &* 7 &+ index >> 8)
      return index == place ? byte ^ 1 : byte
    }
  }

  private static func compared(
    _ a: [UInt8], _ b: [UInt8], as relation: ComparisonOptions = .points, cut: Int = 1_400
  ) async throws -> (pair: ComparedPair, content: Difference?) {
    let run = try await ComparisonRun(
      Talk.download(Place.front, a), Talk.download(Place.behind, b, cut: cut), relation)
    let pair = try #require(run.record.pairs.first)
    return (pair, pair.differences.first { $0.kind == .content })
  }

  @Test("In the first 4 KiB the first byte that differs is exact.", arguments: [0, 1, 1_399, 1_400, 4_095])
  func exact(_ place: Int) async throws {
    let (pair, content) = try await Self.compared(Self.body(5_000), Self.body(5_000, changedAt: place))
    #expect(content?.from == UInt64(place) && content?.to == UInt64(place) + 1)
    #expect(pair.words == ["altered"])
  }

  /// With more than 64 KiB each mark stands for twice as much, and so on.
  @Test(
    "Beyond it a range that holds the byte is told, no longer than a mark is apart.",
    arguments: [(6_000, 4_096, 1_024), (60_000, 59_000, 1_024), (100_000, 50_000, 2_048), (200_000, 199_999, 4_096)])
  func range(_ length: Int, _ place: Int, _ stride: UInt64) async throws {
    let (_, content) = try await Self.compared(Self.body(length), Self.body(length, changedAt: place), cut: 900)
    let found = try #require(content)
    let (from, to) = (try #require(found.from), try #require(found.to))
    #expect(from <= UInt64(place) && UInt64(place) < to)
    #expect(to - from <= stride && from >= 4_096)
  }

  @Test("Of bodies of different length the shorter one may be the beginning of the other.")
  func lengths() async throws {
    let whole = Self.body(3_000)
    let short = try await Self.compared(whole, Array(whole.prefix(2_000)))
    #expect(short.pair.words == ["download truncated in B"])
    #expect(short.pair.verdicts[0].cost == .lost(bytes: 1_000))
    #expect(try await Self.compared(whole, Array(whole.prefix(2_000)), as: .runs).pair.words == ["altered"])
    let other = try await Self.compared(whole, Self.body(2_000, changedAt: 1_999))
    #expect(other.content?.from == 1_999 && other.pair.words == ["altered"])
  }

  @Test("An end that lies between two marks is not taken for the beginning of a longer body that has its own length.")
  func unsureEnd() async throws {
    let (pair, _) = try await Self.compared(Self.body(6_000), Self.body(5_000, changedAt: 4_900))
    #expect(pair.words == ["altered"])
  }

  @Test("What a capture lacks is not called a difference.")
  func holes() async throws {
    let whole = Talk.download(Place.front, Self.body(3_000))
    let lines = Talk.download(Place.behind, Self.body(3_000)).split(separator: "\n").map(String.init)
    let last = try #require(lines.lastIndex { $0.hasPrefix("< x") })
    var torn = lines
    torn[last - 1] += " !lost"
    let run = try await ComparisonRun(whole, torn.joined(separator: "\n"), .points)
    let pair = try #require(run.record.pairs.first)
    #expect(pair.told == [] && pair.words == ["identical"])
    torn.remove(at: last - 1)
    let shifted = try await ComparisonRun(whole, torn.joined(separator: "\n"), .points)
    #expect(shifted.record.pairs.first?.words != ["identical"])
  }

  /// `hello, hello, hello` as gzip makes it.
  private static let coded: [UInt8] = [
    0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1, 5, 0, 0xFA, 0xFF, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x86, 0xA6, 0x10, 0x36, 5,
    0,
    0, 0,
  ]

  @Test("A coded body is the same as what it decodes to.")
  func coding() async throws {
    let gzip = Talk.download(Place.front, Self.coded, fields: ["Content-Encoding: gzip"])
    let same = try await ComparisonRun(gzip, Talk.download(Place.behind, Array("hello".utf8)), .points)
    #expect(same.record.pairs.first?.words == ["re-framed"])
    let other = try await ComparisonRun(gzip, Talk.download(Place.behind, Array("help!".utf8)), .points)
    let content = try #require(other.record.pairs.first?.differences.first { $0.kind == .content })
    #expect(content.from == 3 && content.to == 4)
  }
}

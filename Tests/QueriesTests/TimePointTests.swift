import Citation
import Testing

@testable import Queries

@Suite("Points in time")
struct TimePointTests {
  /// 2023-11-14T22:13:20Z
  private static let origin = Timestamp(nanoseconds: 1_700_000_000_000_000_000)

  @Test(
    "What people write is so long after the first packet.",
    arguments: [
      ("0", 0), ("1.5", 1_500_000_000), ("1.5s", 1_500_000_000), ("90s", 90_000_000_000), ("2m", 120_000_000_000),
      ("250ms", 250_000_000), ("10us", 10_000), ("1h", 3_600_000_000_000), ("1:30", 90_000_000_000),
      ("0:00.000000001", 1), ("100:00", 6_000_000_000_000), ("1:05.25", 65_250_000_000),
      ("0.1234567899", 123_456_789),
      ("22:13:21", 1_000_000_000), ("22:13:20.000001", 1_000), ("00:00:00", -80_000_000_000_000),
      ("23:59:60", 6_400_000_000_000),
      ("2023-11-14T22:13:20Z", 0), ("2023-11-14t22:13:20.5z", 500_000_000), ("2023-11-14 22:13:20Z", 0),
      ("2023-11-14T23:13:20+01:00", 0), ("2023-11-14T21:43:20-00:30", 0),
      ("2024-02-29T00:00:00Z", 9_164_800_000_000_000),
      ("1970-01-01T00:00:00Z", -1_700_000_000_000_000_000),
    ] as [(String, Int64)])
  func point(_ text: String, after: Int64) throws {
    #expect(try #require(TimePoint(text)).resolved(from: Self.origin).since(Self.origin) == after)
  }

  @Test(
    "What is no time is none.",
    arguments: [
      "", " ", "s", ".5", "1.", "-1", "+1", "1,5", "1 s", "1d", "1:60", "1:5", "1.5:30", "1:", ":30", "24:00:00",
      "12:60:00", "12:00:61", "1:2:3", "12:00:00.", "12:00:00Z", "1:2:3:4", "2023-11-14", "2023-11-14T22:13:20",
      "2023-02-29T00:00:00Z", "2023-13-01T00:00:00Z", "2023-00-01T00:00:00Z", "2023-04-31T00:00:00Z",
      "2023-11-14T24:00:00Z", "2023-11-14T22:13:20+24:00", "2023-11-14T22:13:20+1", "9999-01-01T00:00:00Z",
      "99999999999999999999", "9999999999h", "٣", "1٣s", "2023-11-14T22:13:20Ü",
    ])
  func none(_ text: String) { #expect(TimePoint(text) == nil) }

  @Test("A time of day is of the day of the first packet, before 1970 too.")
  func day() throws {
    let early = Timestamp(nanoseconds: -1_000_000_000)
    #expect(try #require(TimePoint("23:59:58")).resolved(from: early).since(early) == -1_000_000_000)
  }

  @Test("What certainly comes after is known before the capture is.")
  func order() throws {
    let after = { (left: String, right: String) in
      try #require(TimePoint(left)).isSurelyAfter(try #require(TimePoint(right)))
    }
    #expect(try after("2", "1"))
    #expect(try !after("1", "1"))
    #expect(try after("12:00:01", "12:00:00"))
    #expect(try !after("12:00:01", "1"))
  }
}

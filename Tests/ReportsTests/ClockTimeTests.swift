import Citation
import Testing

@testable import Reports

@Suite("Clock times")
struct ClockTimeTests {
  /// Seconds as `date -u -d … +%s` gives them.
  @Test(
    "Known dates come out right.",
    arguments: [
      (0, 0, "1970-01-01T00:00:00.000000000Z"),
      (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
      (-31_536_000, 0, "1969-01-01T00:00:00.000000000Z"),
      (951_782_399, 1, "2000-02-28T23:59:59.000000001Z"),
      (951_782_400, 0, "2000-02-29T00:00:00.000000000Z"),
      (951_868_800, 0, "2000-03-01T00:00:00.000000000Z"),
      (1_709_164_800, 120_000_000, "2024-02-29T00:00:00.120000000Z"),
      (1_709_251_200, 0, "2024-03-01T00:00:00.000000000Z"),
      (1_677_628_799, 0, "2023-02-28T23:59:59.000000000Z"),
      (1_677_628_800, 0, "2023-03-01T00:00:00.000000000Z"),
      (1_703_980_800, 0, "2023-12-31T00:00:00.000000000Z"),
      (2_147_483_647, 0, "2038-01-19T03:14:07.000000000Z"),
      (2_147_483_648, 0, "2038-01-19T03:14:08.000000000Z"),
      (4_107_542_400, 0, "2100-03-01T00:00:00.000000000Z"),
      (4_107_456_000, 0, "2100-02-28T00:00:00.000000000Z"),
      (-2_208_988_800, 0, "1900-01-01T00:00:00.000000000Z"),
    ] as [(Int64, Int64, String)])
  func known(seconds: Int64, nanoseconds: Int64, text: String) {
    #expect(ClockTime(Timestamp(nanoseconds: seconds * 1_000_000_000 + nanoseconds)).text == text)
    #expect(ClockTime.parse(text)?.nanoseconds == seconds * 1_000_000_000 + nanoseconds)
  }

  @Test(
    "Fewer digits are the same time, and what is no time is none.",
    arguments: [
      ("2024-02-29T00:00:00.12Z", 1_709_164_800_120_000_000), ("2024-02-29T00:00:00Z", 1_709_164_800_000_000_000),
      ("2262-04-11T23:47:16.854775807Z", .max),
      ("2262-04-11T23:47:16.854775808Z", nil), ("9999-12-31T23:59:59Z", nil), ("0000-01-01T00:00:00Z", nil),
      ("2023-02-29T00:00:00Z", nil), ("2024-13-01T00:00:00Z", nil), ("2024-00-01T00:00:00Z", nil),
      ("2024-01-00T00:00:00Z", nil), ("2024-01-01T24:00:00Z", nil), ("2024-01-01T00:60:00Z", nil),
      ("2024-01-01T00:00:60Z", nil), ("2024-01-01T00:00:00.Z", nil), ("2024-01-01T00:00:00.1234567890Z", nil),
      ("2024-01-01T00:00:00", nil), ("2024-01-01T00:00:00+00:00", nil), ("2024-01-01 00:00:00Z", nil),
      ("2024-01-01T00:00:00.-1Z", nil), ("٢٠٢٤-01-01T00:00:00Z", nil), ("", nil), ("Z", nil),
    ] as [(String, Int64?)])
  func read(text: String, nanoseconds: Int64?) {
    #expect(ClockTime.parse(text)?.nanoseconds == nanoseconds)
  }

  @Test("The ends of what a timestamp can be are dates, too.")
  func ends() {
    #expect(ClockTime(Timestamp(nanoseconds: .max)).text == "2262-04-11T23:47:16.854775807Z")
    #expect(ClockTime(Timestamp(nanoseconds: .min)).text == "1677-09-21T00:12:43.145224192Z")
  }

  @Test("Every day of four centuries follows the one before.")
  func consecutive() {
    var (year, month, day) = (1678, 1, 1)
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // 292 years with 70 leap days lie between 1678 and 1970.
    var days = -(292 * 365 + 70)
    while year < 2262 {
      let text = ClockTime(Timestamp(nanoseconds: Int64(days) * 86_400_000_000_000)).text
      let pad = { (value: Int) in value < 10 ? "0\(value)" : String(value) }
      guard text.hasPrefix("\(year)-\(pad(month))-\(pad(day))T00:00:00.") else {
        Issue.record("day \(days) is \(text), not \(year)-\(month)-\(day)")
        return
      }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      days += 1
      day += 1
      if day > lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
  }
}

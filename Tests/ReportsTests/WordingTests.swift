import Events
import Testing

@testable import Reports

@Suite("Figures in sentences")
struct WordingTests {
  @Test(
    "Durations have about three figures and are never rounded up.",
    arguments: [
      (0, "0 s"), (1, "1 ns"), (999, "999 ns"), (1_000, "0.001 ms"), (25_700, "0.025 ms"), (99_999, "0.099 ms"),
      (100_000, "0.10 ms"), (250_000, "0.25 ms"), (9_999_999, "9.99 ms"), (10_000_000, "10.0 ms"),
      (99_999_999, "99.9 ms"), (100_000_000, "0.100 s"), (999_999_999, "0.999 s"), (4_050_400_000, "4.050 s"),
      (119_999_999_999, "119.999 s"), (120_000_000_000, "2 min 00 s"), (902_000_000_000, "15 min 02 s"),
      (7_199_999_999_999, "119 min 59 s"), (7_200_000_000_000, "2 h 00 min"), (356_400_000_000_000, "99 h 00 min"),
      (3_600_000_000_000_000, "1,000 h 00 min"), (-250_000, "-0.25 ms"), (-1, "-1 ns"),
      (.max, "2,562,047 h 47 min"), (.min, "-2,562,047 h 47 min"),
    ] as [(Int64, String)])
  func durations(nanoseconds: Int64, text: String) { #expect(Wording.duration(nanoseconds) == text) }

  @Test(
    "Numbers are grouped.",
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (999_999, "999,999"), (1_234_567, "1,234,567"),
      (.max, "18,446,744,073,709,551,615"),
    ] as [(UInt64, String)])
  func numbers(value: UInt64, text: String) { #expect(Wording.number(value) == text) }

  @Test(
    "Sizes nobody checks to the byte are short, those under 10 kB exact.",
    arguments: [
      (0, "0 B"), (9_999, "9,999 B"), (10_000, "10.0 kB"), (99_949, "99.9 kB"), (100_000, "100 kB"),
      (999_999, "999 kB"),
      (1_000_000, "1.0 MB"), (610_000_000, "610 MB"), (999_999_999, "999 MB"), (2_100_000_000, "2.1 GB"),
      (1_234_000_000_000, "1234 GB"),
    ] as [(UInt64, String)])
  func sizes(value: UInt64, text: String) { #expect(Wording.size(value) == text) }

  @Test("One is singular.")
  func counts() {
    #expect(Wording.count(1, "packet") == "1 packet")
    #expect(Wording.count(0, "packet") == "0 packets")
    #expect(Wording.count(2_000, "copy", "copies") == "2,000 copies")
    #expect(Wording.bytes(653) == "653 B")
  }

  @Test("What came first is before, and no time is negative.")
  func order() {
    #expect(Wording.after(250_000) == "0.25 ms after")
    #expect(Wording.after(-14_000) == "0.014 ms before")
    #expect(Wording.after(.min).hasSuffix(" before"))
  }

  @Test(
    "Decimals keep their places.",
    arguments: [
      (0, 3, "0.000"), (5, 3, "0.005"), (1_234, 3, "1.234"), (12, 1, "1.2"),
    ] as [(UInt64, Int, String)])
  func decimals(value: UInt64, places: Int, text: String) { #expect(Wording.decimal(value, places: places) == text) }
}

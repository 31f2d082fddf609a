import Capture
import Testing

struct ClockRow: CustomTestStringConvertible {
  var resolution: UInt8
  var offset: Int64 = 0
  var units: UInt64
  var nanoseconds: Int64

  var testDescription: String { "\(units) units of resolution \(resolution) from \(offset)" }
}

@Suite struct CaptureClockTests {
  @Test(
    "units of every resolution become nanoseconds",
    arguments: [
      ClockRow(resolution: 0, units: 3, nanoseconds: 3_000_000_000),
      ClockRow(resolution: 3, units: 3, nanoseconds: 3_000_000),
      ClockRow(resolution: 6, units: 3, nanoseconds: 3000),
      ClockRow(resolution: 9, units: 3, nanoseconds: 3),
      ClockRow(resolution: 12, units: 3999, nanoseconds: 3),
      ClockRow(resolution: 28, units: .max, nanoseconds: 1),
      ClockRow(resolution: 29, units: .max, nanoseconds: 0),
      ClockRow(resolution: 127, units: .max, nanoseconds: 0),
      ClockRow(resolution: 0x80, units: 3, nanoseconds: 3_000_000_000),
      ClockRow(resolution: 0x80 | 1, units: 3, nanoseconds: 1_500_000_000),
      ClockRow(resolution: 0x80 | 32, units: 7 << 31, nanoseconds: 3_500_000_000),
      ClockRow(resolution: 0x80 | 63, units: 1 << 63, nanoseconds: 1_000_000_000),
      ClockRow(resolution: 0x80 | 64, units: 1 << 63, nanoseconds: 500_000_000),
      ClockRow(resolution: 0xFF, units: .max, nanoseconds: 0),
      ClockRow(resolution: 6, offset: 10, units: 3, nanoseconds: 10_000_003_000),
      ClockRow(resolution: 6, offset: -10, units: 3, nanoseconds: -9_999_997_000),
      ClockRow(resolution: 6, offset: .max, units: 3, nanoseconds: .max),
      ClockRow(resolution: 6, offset: .min, units: 3, nanoseconds: .min + 3000),
      ClockRow(resolution: 6, units: .max, nanoseconds: .max),
      ClockRow(resolution: 0, units: .max, nanoseconds: .max),
      ClockRow(resolution: 0x80, units: .max, nanoseconds: .max),
    ])
  func times(_ row: ClockRow) {
    let clock = CaptureClock(resolution: row.resolution, offset: row.offset)
    #expect(clock.time(units: row.units).nanoseconds == row.nanoseconds)
  }

  @Test("no resolution traps on any edge")
  func edges() {
    for resolution in UInt8.min...UInt8.max {
      for offset in [Int64.min, -1, 0, 1, .max] {
        let clock = CaptureClock(resolution: resolution, offset: offset)
        for units in [UInt64.min, 1, 1 << 31, 1 << 32, 1 << 63, .max] { _ = clock.time(units: units) }
      }
    }
  }
}

import Capture
import Citation
import Testing

@testable import Engine

@Suite("The clock of a capture")
struct PacketClockTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// Seconds.
    var stamps: [Double]
    /// What the packets are told at.
    var times: [Double]
    var notes: [String] = []
    var reversals: UInt64 = 0
  }

  private static let day: Double = 86_400

  @Test(
    "Stamps are believed where they can be, and named where not.",
    arguments: [
      Case(testDescription: "in order", stamps: [100, 101, 150, 4_000], times: [100, 101, 150, 4_000]),
      Case(
        testDescription: "a silence of six days", stamps: [0, 6 * day, 6 * day + 1], times: [0, 6 * day, 6 * day + 1]),
      Case(
        testDescription: "two packets in the wrong order", stamps: [1, 1.2, 1.1, 1.3], times: [1, 1.2, 1.2, 1.3],
        reversals: 1),
      Case(
        testDescription: "one stamp far ahead", stamps: [100, 101, 9e8, 102, 103], times: [100, 101, 101, 102, 103],
        notes: ["packet 3 has a time stamp far"]),
      Case(
        testDescription: "one stamp an hour ahead", stamps: [100, 101, 3_701, 102, 103],
        times: [100, 101, 101, 102, 103],
        notes: ["packet 3 has a time stamp far"]),
      Case(
        testDescription: "one stamp far behind", stamps: [9e8, 9e8 + 1, 3, 9e8 + 2],
        times: [9e8, 9e8 + 1, 9e8 + 1, 9e8 + 2],
        reversals: 1),
      Case(
        testDescription: "the first stamp is none", stamps: [0, 9e8, 9e8 + 1, 9e8 + 2],
        times: [9e8, 9e8, 9e8 + 1, 9e8 + 2],
        notes: ["packet 1 has a time stamp far"]),
      Case(
        testDescription: "files joined years apart", stamps: [100, 101, 9e8, 9e8 + 1], times: [100, 101, 101, 102],
        notes: ["jump ahead by 249,999 h"]),
      Case(
        testDescription: "files joined in the wrong order", stamps: [5_000, 5_001, 100, 101, 110],
        times: [5_000, 5_001, 5_001, 5_002, 5_011], notes: ["jump back by 81 min 41 s at packet 3"], reversals: 1),
      Case(
        testDescription: "two interfaces whose clocks differ by an hour",
        stamps: [100, 3_700, 101, 3_701, 102, 3_702, 103],
        times: [100, 100, 101, 101, 102, 102, 103], notes: ["packet 2 (the first of 3) has a time stamp far"]
      ),
      Case(
        testDescription: "a last packet after a long silence, before the next file begins",
        stamps: [1_000, 1_060, 100, 101, 102], times: [1_000, 1_060, 1_060, 1_061, 1_062],
        notes: ["jump back by 16 min 00 s at packet 3"], reversals: 1),
    ])
  func told(_ row: Case) {
    var clock = PacketClock()
    let packets = Self.packets(row.stamps.map { Int64($0 * 1e9) })
    let times = packets.indices.map { index in
      clock.advance(to: packets[index], at: index, of: packets)
      return Double(clock.time.nanoseconds) / 1e9
    }
    #expect(zip(times, row.times).allSatisfy { abs($0 - $1) < 1e-3 } && times.count == row.times.count, "\(times)")
    #expect(clock.notes.count == row.notes.count)
    for (note, part) in zip(clock.notes, row.notes) { #expect(note.contains(part), "\(note)") }
    #expect(clock.reversals == row.reversals)
  }

  @Test("A stamp that no clock shows is named, wherever it stands.", arguments: [0, 1, 2])
  func impossible(at index: Int) {
    var stamps: [Int64] = [5_000_000_000, 6_000_000_000, 7_000_000_000]
    for extreme in [Int64.max, .min] {
      stamps[index] = extreme
      var clock = PacketClock()
      let packets = Self.packets(stamps)
      for index in packets.indices { clock.advance(to: packets[index], at: index, of: packets) }
      #expect(clock.time.nanoseconds >= 6_000_000_000 && clock.time.nanoseconds <= 7_000_000_000)
      #expect(clock.notes.count == 1)
    }
  }

  @Test("How far a stamp lies behind is measured against the clock, also when times go on after a step back.")
  func behind() {
    var clock = PacketClock()
    let packets = Self.packets([5_000, 2_000, 2_000.5, 2_001, 2_001.5, 2_002, 6_000].map { Int64($0 * 1e9) })
    var behind: [UInt32] = []
    for index in packets.indices {
      clock.advance(to: packets[index], at: index, of: packets)
      behind.append(clock.behind)
    }
    #expect(behind == [0] + [UInt32](repeating: 3_000_000_000, count: 5) + [0])
  }

  private static func packets(_ stamps: [Int64]) -> [PacketRecord] {
    stamps.enumerated().map { index, stamp in
      PacketRecord(
        number: UInt64(index + 1), time: Timestamp(nanoseconds: stamp), offset: 0, capturedLength: 0, wireLength: 0,
        linkType: 1, interface: 0)
    }
  }
}

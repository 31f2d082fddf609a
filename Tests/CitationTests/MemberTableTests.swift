import Support
import Testing

@testable import Citation

@Suite("Which file a packet is in")
struct MemberTableTests {
  @Test("Files one after the other")
  func series() {
    let table = MemberTable()
    table.add("a", before: 0)
    table.add("b", before: 10)
    #expect(table.place(of: 0) == nil)
    for (packet, file, number) in [(1, "a", 1), (10, "a", 10), (11, "b", 1), (99, "b", 89)]
      as [(UInt64, String, UInt64)]
    {
      let place = table.place(of: packet)
      #expect(place?.file == file && place?.number == number)
    }
  }

  @Test("Of very many files the first are forgotten, and the last are right")
  func forgotten() {
    let table = MemberTable()
    for number in 0..<UInt64(1 << 16 + 5) { table.add("\(number)", before: number * 10) }
    #expect(table.all.count < 1 << 16)
    #expect(table.place(of: 5) == nil)
    let place = table.place(of: 655_361)
    #expect(place?.file == "65536" && place?.number == 1)
  }

  @Test("Files beside one another, in any order of their packets", arguments: [1, 2, 3, 7])
  func points(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let table = MemberTable(points: (0..<count).map(String.init))
    var numbers = [UInt64](repeating: 0, count: count)
    var expected: [(packet: UInt64, file: String, number: UInt64)] = []
    var packet: UInt64 = 0
    for _ in 0..<5_000 {
      let point = Int.random(in: 0..<count, using: &random)
      // A filter leaves gaps in the numbers.
      let step = UInt64.random(in: 1...3, using: &random)
      packet += step
      numbers[point] += step
      table.add(step, ofPoint: point)
      expected.append((packet, "\(point)", numbers[point]))
    }
    for each in expected {
      let place = table.place(of: each.packet)
      #expect(place?.file == each.file && place?.number == each.number)
    }
    #expect(table.place(of: 0) == nil && table.place(of: packet + 1) == nil)
  }

  @Test("A step of the greatest length takes no time")
  func greatest() {
    let table = MemberTable(points: ["a", "b"])
    table.add(1 << 30, ofPoint: 0)
    table.add(1, ofPoint: 1)
    let place = table.place(of: 1 << 30 + 1)
    #expect(place?.file == "b" && place?.number == 1)
  }
}

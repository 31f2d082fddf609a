import Events
import Testing

@Suite("How often requests were answered with which status")
struct StatusCountsTests {
  @Test("Failures come first, then the most.")
  func words() {
    var counts = StatusCounts()
    for (code, count) in [(200, 40), (404, 2), (500, 12), (0, 3), (9999, 1)] as [(UInt16, UInt64)] {
      counts.add(code, count)
    }
    #expect(counts.words(9) == "12 × 500, 3 none, 1 × 9999, 40 × 200, 2 × 404")
    #expect(counts.words(2, ascii: true) == "12 x 500, 3 none, ...")
  }

  @Test("More kinds than are told apart are counted together, and as none of those.")
  func bounded() {
    var counts = StatusCounts()
    for code in 200..<260 { counts.add(UInt16(code)) }
    counts.add(200)
    #expect(counts.sorted.map { $0.code } == Array(200..<232))
    #expect(counts.sorted.map { $0.count } == [2] + [UInt64](repeating: 1, count: 31))
    #expect(counts.others == 28)
    #expect(counts.words(99).hasSuffix(", 28 of other kinds"))
    counts.add(counts)
    #expect(counts.others == 56)
    #expect(counts.sorted.first?.count == 4)
  }
}

import Platform
import Testing

struct SideBySideTests {
  @Test("What is made side by side stands in its order, each once.", arguments: [0, 1, 2, 1_000])
  func order(count: Int) {
    #expect(SideBySide.map(count) { $0 * $0 } == (0..<count).map { $0 * $0 })
  }
}

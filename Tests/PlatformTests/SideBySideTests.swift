import Platform
import Testing

struct SideBySideTests {
  @Test("What is made side by side stands in its order, each once.", arguments: [0, 1, 2, 1_000], [1, 2, 8])
  func order(count: Int, jobs: Int) {
    #expect(SideBySide.map(count, jobs: jobs) { $0 * $0 } == (0..<count).map { $0 * $0 })
  }
}

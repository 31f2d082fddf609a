import Citation
import Support
import Testing

@testable import Rules

@Suite("A table of bounded size")
struct BoundedTableTests {
  /// Its hashes collide as often as wanted.
  private struct Key: MixedKey {
    var name: Int
    var hashes: Int

    func mix(into mixer: inout WordMixer) { mixer.combine(name % hashes) }
  }

  @Test(
    "It holds the same as a plain list of the last ones, whether hashes collide or not.",
    arguments: [1, 2, 7, 1_000], [1, 5, 64])
  func model(_ hashes: Int, _ limit: Int) {
    var random = SplitMix64(seed: UInt64(hashes * 1_000 + limit))
    var table = BoundedTable<Key, Int>(limit: limit)
    var model: [(key: Key, value: Int)] = []
    for step in 0..<4_000 {
      let key = Key(name: Int.random(in: 0..<3 * limit, using: &random), hashes: hashes)
      let known = model.firstIndex { $0.key == key }
      #expect(table[key] == known.map { model[$0].value })
      #expect(table.has(key) == (known != nil))
      table.update(key, orMake: step) { $0 += 1 }
      if let known {
        model[known].value += 1
      } else {
        if model.count == limit { model.removeFirst() }
        model.append((key, step + 1))
      }
    }
    #expect(table.inOrder == model.map(\.value))
  }
}

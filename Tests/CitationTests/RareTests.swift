import Citation
import Testing

@Suite("Rare values")
struct RareTests {
  private struct Owner {
    @Rare var note: String?
    var counts = Rare<[Int]>()
  }

  @Test("A value is changed in its place, and no copy of its owner changes with it.")
  func copies() {
    var one = Owner()
    #expect(one.note == nil && one.counts.isEmpty)
    one.counts.make([1])
    one.counts.make([9])
    let other = one
    one.counts.value.append(2)
    one.note = "kept"
    #expect(one.counts.copy == [1, 2] && other.counts.copy == [1])
    #expect(one.note == "kept" && other.note == nil)
    one.counts.remove()
    one.note = nil
    #expect(one.counts.isEmpty && one.note == nil && !other.counts.isEmpty)
  }

  @Test("It takes one word.")
  func size() {
    #expect(MemoryLayout<Rare<(Int, Int, Int)>>.size == MemoryLayout<Int>.size)
  }
}

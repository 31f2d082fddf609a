import Citation
import Support
import Testing

@Suite("What an array has room for")
struct ArrayRoomTests {
  /// The array has a few places more by luck, and then grows later, or from more.
  @Test("It is within a factor of two of what the array itself says, and never less than is in it.")
  func grows() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<50 {
      var array: [UInt32] = []
      var room = ArrayRoom()
      for _ in 0..<40 {
        array.append(contentsOf: repeatElement(0, count: Int(random.next() % 50)))
        room.note(array.count)
        #expect(Int(room.places) >= array.count && Int(room.places) <= 2 * array.capacity)
        #expect(array.capacity <= 2 * Int(room.places) + 16)
        if random.next() % 16 == 0 { array.removeAll(keepingCapacity: true) }
      }
      #expect(room.held(UInt32.self) == 4 * Int(room.places))
      room.letGo()
      #expect(room.places == 0)
    }
  }

  @Test("One by one it grows to a power of two.")
  func oneByOne() {
    #expect([0, 1, 2, 3, 4, 5, 64, 65].map { ArrayRoom.grown(to: $0) } == [0, 1, 2, 4, 4, 8, 64, 128])
  }
}

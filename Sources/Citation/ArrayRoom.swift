/// How many elements an array has room for, by what was put into it.
///
/// Its `capacity` is what the allocator gave, which depends on what was freed before; what is dropped where memory is short
/// must be the same in every run. So this follows the array's own way to grow: to twice as many, or to what comes at once.
/// Note the count before the array is emptied, and when the room is counted.
package struct ArrayRoom: Sendable {
  package private(set) var places: UInt32 = 0

  package init() {}

  @inline(__always)
  package mutating func note(_ count: Int) {
    if count > Int(places) { places = UInt32(clamping: max(count, 2 * Int(places))) }
  }

  /// Of an array that is let go.
  package mutating func letGo() { places = 0 }

  /// In bytes.
  package func held<Element>(_ type: Element.Type) -> Int { Int(places) * MemoryLayout<Element>.stride }

  /// The room of an array that grew to so many, one by one.
  package static func grown(to count: Int) -> Int {
    count > 1 ? 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount) : count
  }
}

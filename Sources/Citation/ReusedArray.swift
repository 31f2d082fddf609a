/// Arrays that are filled, read and emptied for each packet, and keep their memory.
extension Array {
  /// Empties it. `removeAll(keepingCapacity:)` replaces a range, which takes some 200 instructions where there is one
  /// element; nearly always there are one or two.
  @inlinable @inline(__always)
  public mutating func clear() {
    if count <= 4 {
      while !isEmpty { removeLast() }
    } else {
      removeAll(keepingCapacity: true)
    }
  }
}

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Text of a limited length in memory that stays where it is: it can be made where nothing may be allocated, in a handler of
/// signals. What does not fit is left out. The bytes always end in one that is zero.
///
/// `@unchecked Sendable`, because it is written by one thread at a time: that of the run before any other starts, and that
/// of a handler once every other one waits.
package final class FixedText: @unchecked Sendable {
  private let start: UnsafeMutablePointer<CChar>
  private let capacity: Int
  package private(set) var count = 0

  package init(capacity: Int) {
    self.capacity = capacity
    start = .allocate(capacity: capacity + 1)
    start.initialize(repeating: 0, count: capacity + 1)
  }

  deinit { start.deallocate() }

  var pointer: UnsafeMutablePointer<CChar> { start }

  package func append(_ byte: UInt8) {
    guard count < capacity else { return }
    start[count] = CChar(bitPattern: byte)
    count += 1
    start[count] = 0
  }

  package func append(_ text: StaticString) {
    for at in 0..<text.utf8CodeUnitCount { append(text.utf8Start[at]) }
  }

  package func append(_ text: FixedText) {
    for at in 0..<text.count { append(UInt8(bitPattern: text.start[at])) }
  }

  package func append(_ number: UInt64) {
    var unit: UInt64 = 1
    while number / unit >= 10 { unit *= 10 }
    while unit > 0 {
      append(UInt8(truncatingIfNeeded: number / unit % 10) + UInt8(ascii: "0"))
      unit /= 10
    }
  }

  /// Not in a handler.
  package func replace(with text: String) {
    clear()
    for byte in text.utf8 { append(byte) }
  }

  package func clear() { shorten(to: 0) }

  package func shorten(to length: Int) {
    count = min(count, length)
    start[count] = 0
  }

  package func isEqual(_ text: String) -> Bool {
    text.utf8.count == count && text.utf8.enumerated().allSatisfy { start[$0] == CChar(bitPattern: $1) }
  }

  package func contains(_ other: FixedText) -> Bool {
    guard other.count <= count else { return false }
    for offset in 0...(count - other.count) {
      var at = 0
      while at < other.count, start[offset + at] == other.start[at] { at += 1 }
      if at == other.count { return true }
    }
    return false
  }

  /// Past all buffers, as far as it can be written.
  package func write(to descriptor: Descriptor) {
    _ = writeFile(descriptor.number, start, count)
  }
}

// The method of this name stands before the function.
private func writeFile(_ number: CInt, _ start: UnsafeRawPointer, _ count: Int) -> Int { write(number, start, count) }

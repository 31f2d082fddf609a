/// Whether a stream of bytes is UTF-8 (RFC 3629), in pieces cut anywhere: no overlong forms, no surrogates, nothing above
/// U+10FFFF. The verdict falls at the first byte that cannot stand where it is.
package struct UTF8Stream: Hashable, Sendable {
  private var outstanding: UInt8 = 0
  /// What the next byte may be, inside a character.
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xBF

  package init() {}

  /// In the middle of a character: what ends here is not UTF-8.
  @inline(__always)
  package var isOpen: Bool { outstanding > 0 }

  /// Takes a piece up to the first byte that cannot stand where it is, and answers its place; nil where all can. The
  /// bytes behind it were not looked at; it was, as the first of another character.
  package mutating func take(_ bytes: Span<UInt8>) -> Int? {
    bytes.withUnsafeBytes { memory in
      var index = 0
      while index < memory.count {
        if outstanding == 0 {
          index = Self.skipASCII(memory, from: index)
          guard index < memory.count else { break }
        }
        guard take(memory[index]) else { return index }
        index += 1
      }
      return nil
    }
  }

  /// Takes the next byte; false when it cannot stand here. It is then looked at as the first of another character.
  @inline(__always)
  package mutating func take(_ byte: UInt8) -> Bool {
    guard outstanding > 0 else { return byte < 0x80 || begin(byte) }
    if byte >= low, byte <= high {
      outstanding &-= 1
      (low, high) = (0x80, 0xBF)
      return true
    }
    reset()
    _ = begin(byte)
    return false
  }

  @inline(__always)
  package mutating func reset() {
    outstanding = 0
    (low, high) = (0x80, 0xBF)
  }

  /// Where the ASCII ends that begins here; most text is nothing else, so it is passed by words.
  private static func skipASCII(_ memory: UnsafeRawBufferPointer, from start: Int) -> Int {
    let high: UInt64 = 0x8080_8080_8080_8080
    var index = start
    while memory.count &- index >= 32 {
      let first = memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let second = memory.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)
      let third = memory.loadUnaligned(fromByteOffset: index + 16, as: UInt64.self)
      let fourth = memory.loadUnaligned(fromByteOffset: index + 24, as: UInt64.self)
      if (first | second | third | fourth) & high != 0 { break }
      index &+= 32
    }
    while index < memory.count {
      // The last word may begin before what is left: those bytes were passed.
      let place = min(index, memory.count &- 8)
      guard place >= start else { break }
      let found = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: place, as: UInt64.self)) & high
      guard found == 0 else { return place &+ found.trailingZeroBitCount / 8 }
      index = place &+ 8
    }
    while index < memory.count, memory[index] < 0x80 { index &+= 1 }
    return index
  }

  private mutating func begin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: outstanding = 1
    case 0xE0: (outstanding, low) = (2, 0xA0)
    case 0xED: (outstanding, high) = (2, 0x9F)
    case 0xE1...0xEF: outstanding = 2
    case 0xF0: (outstanding, low) = (3, 0x90)
    case 0xF1...0xF3: outstanding = 3
    case 0xF4: (outstanding, high) = (3, 0x8F)
    default: return false
    }
    return true
  }
}

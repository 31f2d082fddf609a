// Bytes that are looked for among many others: eight are looked at at once.

/// The high bit of the first byte of a word that is `byte`, read as little-endian, and of none before it; 0 where none is.
@inline(__always)
package func highBits(of byte: UInt64, in word: UInt64) -> UInt64 {
  let difference = word ^ (byte &* 0x0101_0101_0101_0101)
  return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
}

/// The place of the first of two bytes from `start` on, before `end`; `end` where neither is there.
package func firstIndex(
  of one: UInt8, or other: UInt8, in bytes: Span<UInt8>, from start: Int, to end: Int
) -> Int {
  bytes.withUnsafeBytes { memory in
    var index = start
    let end = min(end, memory.count)
    while index + 8 <= end {
      let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found = highBits(of: UInt64(one), in: word) | highBits(of: UInt64(other), in: word)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end, memory[index] != one, memory[index] != other { index += 1 }
    return index
  }
}

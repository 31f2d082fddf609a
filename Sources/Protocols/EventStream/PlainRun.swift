/// Behind the plain bytes from `start` on: those that neither end a line nor belong to a longer character. They are most
/// of a stream, so eight are looked at at once.
func endOfPlain(in bytes: Span<UInt8>, from start: Int) -> Int {
  bytes.withUnsafeBytes { memory in
    var index = start
    while index + 8 <= memory.count {
      let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let other = word & 0x8080_8080_8080_8080 | holds(0x0A, word) | holds(0x0D, word)
      if other != 0 { return index + other.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < memory.count, memory[index] < 0x80, memory[index] != 0x0A, memory[index] != 0x0D { index += 1 }
    return index
  }
}

/// The high bit of the first byte of `word` that is `byte`, and of none before it; 0 where none is.
@inline(__always)
private func holds(_ byte: UInt64, _ word: UInt64) -> UInt64 {
  let difference = word ^ (byte &* 0x0101_0101_0101_0101)
  return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
}

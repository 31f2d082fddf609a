import Citation

/// Behind the plain bytes from `start` on: those that neither end a line nor belong to a longer character. They are most
/// of a stream, so eight are looked at at once.
func endOfPlain(in bytes: Span<UInt8>, from start: Int) -> Int {
  bytes.withUnsafeBytes { memory in
    var index = start
    while index + 8 <= memory.count {
      let word = UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let other = word & 0x8080_8080_8080_8080 | highBits(of: 0x0A, in: word) | highBits(of: 0x0D, in: word)
      if other != 0 { return index + other.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < memory.count, memory[index] < 0x80, memory[index] != 0x0A, memory[index] != 0x0D { index += 1 }
    return index
  }
}

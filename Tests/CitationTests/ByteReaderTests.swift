import Citation
import Testing

private let numbers: [Int] =
  Array(-9...20) + [.min, .min + 1, .max, .max - 1, .max - 3, .max - 4, .max - 7, .max - 8, 1 << 32, -1 << 32]

@Suite struct ByteReaderTests {
  private let bytes: [UInt8] = Array(1...12)

  /// The number whose bytes are 1 + offset, 2 + offset …, or nil where they do not all exist.
  private func expected(_ width: Int, at offset: Int, of count: Int) -> UInt64? {
    guard offset >= 0, offset <= count, width <= count - offset else { return nil }
    return (0..<width).reduce(0) { $0 << 8 | UInt64(offset + $1 + 1) }
  }

  @Test("a read answers nil wherever its bytes do not all exist", arguments: 0...12)
  func reads(count: Int) {
    let reader = ByteReader(bytes.span.extracting(0..<count))
    #expect(reader.count == count)
    for offset in numbers {
      let values = [
        reader.u8(offset).map(UInt64.init), reader.u16(offset).map(UInt64.init), reader.u32(offset).map(UInt64.init),
        reader.u64(offset),
      ]
      #expect(values == [1, 2, 4, 8].map { expected($0, at: offset, of: count) }, "at \(offset)")
      #expect(reader.u16LittleEndian(offset) == reader.u16(offset)?.byteSwapped)
      #expect(reader.u32LittleEndian(offset) == reader.u32(offset)?.byteSwapped)
    }
  }

  @Test("a length check cannot be overflowed", arguments: numbers)
  func has(offset: Int) {
    let reader = ByteReader(bytes.span)
    for length in numbers {
      let fits = offset >= 0 && length >= 0 && offset <= 12 && length <= 12 - offset
      #expect(reader.has(length, at: offset) == fits, "\(length)")
    }
  }

  @Test("little-endian reads turn the bytes round")
  func littleEndian() {
    let reader = ByteReader(bytes.span)
    #expect(reader.u16LittleEndian(0) == 0x0201)
    #expect(reader.u32LittleEndian(0) == 0x0403_0201)
  }
}

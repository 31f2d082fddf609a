/// Whole numbers as differences, packed in blocks: DELTA_BINARY_PACKED.
/// https://parquet.apache.org/docs/file-format/data-pages/encodings/#DELTAENC
enum DeltaBlocks {
  private static let blockSize = 128
  private static let miniblocks = 4
  private static let miniblockSize = blockSize / miniblocks

  static func encode(_ values: [Int64]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendVariable(UInt64(blockSize))
    bytes.appendVariable(UInt64(miniblocks))
    bytes.appendVariable(UInt64(values.count))
    bytes.appendZigzag(values.first ?? 0)
    var start = 1
    var deltas: [Int64] = []
    while start < values.count {
      let end = min(start + blockSize, values.count)
      deltas.removeAll(keepingCapacity: true)
      // Readers add as it is subtracted here: with overflow.
      for index in start..<end { deltas.append(values[index] &- values[index - 1]) }
      append(deltas, to: &bytes)
      start = end
    }
    return bytes
  }

  private static func append(_ deltas: [Int64], to bytes: inout [UInt8]) {
    let least = deltas.min() ?? 0
    bytes.appendZigzag(least)
    var widths: [Int] = []
    for miniblock in 0..<miniblocks {
      let range = part(miniblock, of: deltas)
      let largest = deltas[range].map { UInt64(bitPattern: $0 &- least) }.max() ?? 0
      widths.append(BitPacker.width(of: largest))
    }
    bytes += widths.map { UInt8(truncatingIfNeeded: $0) }
    for miniblock in 0..<miniblocks {
      let range = part(miniblock, of: deltas)
      // One without values has no bytes; any other has all of its own.
      guard !range.isEmpty else { break }
      var packer = BitPacker()
      for delta in deltas[range] { packer.append(UInt64(bitPattern: delta &- least), width: widths[miniblock]) }
      for _ in range.count..<miniblockSize { packer.append(0, width: widths[miniblock]) }
      bytes += packer.finish()
    }
  }

  private static func part(_ miniblock: Int, of deltas: [Int64]) -> Range<Int> {
    let start = min(miniblock * miniblockSize, deltas.count)
    return start..<min(start + miniblockSize, deltas.count)
  }
}

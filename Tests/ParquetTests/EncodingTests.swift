import Support
import Testing

@testable import Parquet

/// Rows by hand from the specification of encodings, and readings of what is written by readers of their own.
@Suite("Encodings") struct EncodingTests {
  @Test("Bits are packed from the lowest, as the specification's example.")
  func bits() {
    var packer = BitPacker()
    for value in 0..<8 { packer.append(UInt64(value), width: 3) }
    #expect(packer.finish() == [0b1000_1000, 0b1100_0110, 0b1111_1010])
    packer.append(.max, width: 64)
    packer.append(1, width: 1)
    #expect(packer.finish() == [UInt8](repeating: 0xFF, count: 8) + [1])
    // Across the border of a word.
    packer.append(1, width: 3)
    packer.append(1 << 63 | 1, width: 64)
    #expect(packer.finish() == [0b0000_1001, 0, 0, 0, 0, 0, 0, 0, 0b100])
    #expect(BitPacker.width(of: 0) == 0 && BitPacker.width(of: 1) == 1 && BitPacker.width(of: 8) == 4)
  }

  @Test("Runs of eight and more are runs, others are packed in eights.")
  func runs() {
    var long = HybridRuns(width: 3)
    long.append(4, count: 8)
    #expect(long.finish() == [8 << 1, 4])
    var counted = HybridRuns(width: 3)
    for value in 0..<8 { counted.append(UInt32(value)) }
    #expect(counted.finish() == [0b11, 0x88, 0xC6, 0xFA])
    // Two values, then ten: six of them fill the eight, and four are too few for a run.
    var mixed = HybridRuns(width: 1)
    mixed.append(0, count: 2)
    mixed.append(1, count: 10)
    #expect(mixed.finish() == [0b101, 0b1111_1100, 0b0000_1111])
    var wide = HybridRuns(width: 9)
    wide.append(0x101, count: 200)
    #expect(wide.finish() == [0x90, 0x03, 0x01, 0x01])
    var nothing = HybridRuns(width: 0)
    nothing.append(0, count: 9)
    #expect(nothing.finish() == [9 << 1])
  }

  @Test("What is written is read again, runs of any length and width.")
  func runsAgain() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let width = Int.random(in: 0...20, using: &random)
      var values: [UInt32] = []
      var runs = HybridRuns(width: width)
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        let value = UInt32.random(in: 0...(1 << UInt32(width) - 1), using: &random)
        let count = Int.random(in: 1...Int.random(in: 1...30, using: &random), using: &random)
        values += repeatElement(value, count: count)
        runs.append(value, count: count)
      }
      var reader = PackedReader(runs.finish())
      #expect(reader.runs(values.count, width: width) == values)
    }
  }

  @Test("Differences: the specification's examples, in blocks of 128.")
  func deltas() {
    let zeros = [UInt8](repeating: 0, count: 4)
    #expect(DeltaBlocks.encode([1, 2, 3, 4, 5]) == [0x80, 0x01, 4, 5, 2, 2] + zeros)
    #expect(
      DeltaBlocks.encode([7, 5, 3, 1, 2, 3, 4, 5])
        == [0x80, 0x01, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0])
    #expect(DeltaBlocks.encode([]) == [0x80, 0x01, 4, 0, 0])
    #expect(DeltaBlocks.encode([-1]) == [0x80, 0x01, 4, 1, 1])
  }

  @Test("Differences are read again, those that overflow, too.")
  func deltasAgain() {
    var random = SplitMix64(seed: 9)
    #expect(PackedReader.deltas(DeltaBlocks.encode([.min, .max, 0, .max, .min])) == [.min, .max, 0, .max, .min])
    for _ in 0..<300 {
      let width = UInt64.random(in: 0...63, using: &random)
      let values = (0..<Int.random(in: 0...400, using: &random)).map { _ in
        Int64(truncatingIfNeeded: UInt64.random(in: 0...UInt64.max, using: &random) >> width)
      }
      #expect(PackedReader.deltas(DeltaBlocks.encode(values)) == values)
    }
  }
}

/// Reads what the specification says, in its plainest form.
struct PackedReader {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func variable() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { return value }
    }
  }

  mutating func zigzag() -> Int64 {
    let value = variable()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  mutating func packed(_ count: Int, width: Int) -> [UInt64] {
    let start = place
    place += (count * width + 7) / 8
    return (0..<count).map { index in
      (0..<width).reduce(UInt64(0)) { (value, bit) in
        let at = index * width + bit
        return value | UInt64(bytes[start + at / 8] >> UInt8(at % 8) & 1) << UInt64(bit)
      }
    }
  }

  mutating func runs(_ count: Int, width: Int) -> [UInt32] {
    var values: [UInt32] = []
    while values.count < count {
      let header = variable()
      if header & 1 == 1 {
        values += packed(8 * Int(header >> 1), width: width).map { UInt32($0) }
      } else {
        var value: UInt32 = 0
        for byte in 0..<(width + 7) / 8 {
          value |= UInt32(bytes[place]) << UInt32(8 * byte)
          place += 1
        }
        values += repeatElement(value, count: Int(header >> 1))
      }
    }
    return Array(values.prefix(count))
  }

  static func deltas(_ bytes: [UInt8]) -> [Int64] {
    var reader = PackedReader(bytes)
    let block = Int(reader.variable())
    let miniblocks = Int(reader.variable())
    let count = Int(reader.variable())
    var values = [reader.zigzag()]
    while values.count < count {
      let least = reader.zigzag()
      let widths = (0..<miniblocks).map { reader.bytes[reader.place + $0] }
      reader.place += miniblocks
      for width in widths where values.count < count {
        for delta in reader.packed(block / miniblocks, width: Int(width)) where values.count < count {
          values.append(values[values.count - 1] &+ least &+ Int64(bitPattern: delta))
        }
      }
    }
    return Array(values.prefix(count))
  }
}

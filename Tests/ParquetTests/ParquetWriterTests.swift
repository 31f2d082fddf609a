import Testing

@testable import Parquet

@Suite("Files") struct ParquetWriterTests {
  private static func file(
    _ count: Int, _ compression: Compression = .none, limits: ParquetWriter.Limits = ParquetWriter.Limits(),
    draining: Bool = false
  ) -> [UInt8] {
    var writer = ParquetWriter(
      Schema([ColumnField("n", .integer), ColumnField("s", .string)]), creator: "test", metadata: [("k", "v")],
      compression: compression, limits: limits)
    var bytes: [UInt8] = []
    for number in 0..<count {
      writer.records.beginGroup()
      writer.records.name("n")
      writer.records.integer(Int64(number))
      writer.records.name("s")
      writer.records.string("text \(number % 3)")
      writer.records.end()
      writer.endRecord()
      if draining { bytes += writer.takeBytes() }
    }
    writer.finish()
    return bytes + writer.bytes
  }

  /// Each byte by hand, from parquet.thrift.
  @Test("A table without rows is a footer between two marks.")
  func empty() {
    let footer: [UInt8] =
      [0x15, 0x02]  // version 1
      + [0x19, 0x3C]  // three nodes of the schema
      + [0x48, 0x06] + Array("schema".utf8) + [0x15, 0x04, 0x00]
      + [0x15, 0x04, 0x25, 0x02, 0x18, 0x01] + Array("n".utf8) + [0x00]
      // UTF8, and STRING in the union of logical types.
      + [0x15, 0x0C, 0x25, 0x02, 0x18, 0x01] + Array("s".utf8) + [0x25, 0x00, 0x4C, 0x1C, 0x00, 0x00, 0x00]
      + [0x16, 0x00]  // no rows
      + [0x19, 0x0C]  // no row groups
      + [0x19, 0x1C, 0x18, 0x01] + Array("k".utf8) + [0x18, 0x01] + Array("v".utf8) + [0x00]
      + [0x18, 0x04] + Array("test".utf8)
      + [0x19, 0x2C, 0x1C, 0x00, 0x00, 0x1C, 0x00, 0x00]  // orders
      + [0x00]
    let mark = Array("PAR1".utf8)
    #expect(Self.file(0) == mark + footer + [UInt8(footer.count), 0, 0, 0] + mark)
  }

  @Test("The same records are the same bytes, taken in one piece or many.", arguments: Compression.allCases)
  func same(compression: Compression) {
    let whole = Self.file(1_000, compression)
    #expect(Self.file(1_000, compression, draining: true) == whole)
    #expect(whole.prefix(4) == whole.suffix(4))
  }

  @Test("A row group ends at its limit of records or of bytes.")
  func groups() {
    var limits = ParquetWriter.Limits()
    limits.records = 100
    let many = Self.file(1_000, limits: limits)
    let one = Self.file(1_000)
    #expect(many.count > one.count + 9 * 50)
    limits.records = 1 << 16
    limits.bytes = 1_000
    #expect(Self.file(1_000, limits: limits).count > many.count / 2)
    // What is buffered does not grow with the number of records.
    var writer = ParquetWriter(
      Schema([ColumnField("n", .integer)]), creator: "test", compression: .none, limits: limits)
    var most = 0
    for number in 0..<10_000 {
      writer.records.beginGroup()
      writer.records.name("n")
      writer.records.integer(Int64(number))
      writer.records.end()
      writer.endRecord()
      most = max(most, writer.records.held)
      _ = writer.takeBytes()
    }
    #expect(most < 1_100)
  }

  @Test("Strings that repeat stand once in a page of their own; those that do not stand where they are.")
  func dictionaries() {
    var records = RecordWriter(Schema([ColumnField("s", .string)]))
    for text in ["aaaa", "bbbb", "aaaa", "bbbb", "aaaa", "bbbb"] {
      records.beginGroup()
      records.name("s")
      records.string(text)
      records.end()
    }
    records.complete()
    let repeated = ColumnChunk(records.columns[0], .none)
    // Header of a dictionary page of 16 bytes and two values, the values; header of a data page of six in RLE_DICTIONARY.
    let dictionary: [UInt8] = [0x15, 0x04, 0x15, 0x20, 0x15, 0x20, 0x4C, 0x15, 0x04, 0x15, 0x00, 0x00, 0x00]
    let strings: [UInt8] = [4, 0, 0, 0, 0x61, 0x61, 0x61, 0x61, 4, 0, 0, 0, 0x62, 0x62, 0x62, 0x62]
    // Levels: four bytes of length, six ones packed; then the width, and 0 1 0 1 0 1 packed.
    let data: [UInt8] =
      [0x15, 0x00, 0x15, 0x12, 0x15, 0x12, 0x2C] + [0x15, 0x0C, 0x15, 0x10, 0x15, 0x06, 0x15, 0x06, 0, 0]
    #expect(repeated.bytes == dictionary + strings + data + [2, 0, 0, 0, 3, 0b0011_1111, 1, 3, 0b0010_1010])
    records.removeAll()
    for text in ["aaaa", "bbbb"] {
      records.beginGroup()
      records.name("s")
      records.string(text)
      records.end()
    }
    records.complete()
    let single = ColumnChunk(records.columns[0], .none)
    #expect(single.bytes.suffix(16) == strings[...])
  }
}

/// A file, from its first bytes to its footer. What is written so far may be taken out of `bytes` at any time between records.
package struct ParquetWriter {
  /// Of a row group, whichever is reached first.
  package struct Limits: Sendable {
    package var records = 1 << 16
    package var bytes = 8 << 20

    package init() {}
  }

  /// Metadata of the file, by name.
  private let metadata: [(name: String, value: String)]
  private let creator: String
  private let compression: Compression
  private let limits: Limits
  package var records: RecordWriter
  package private(set) var bytes = Array("PAR1".utf8)
  private var written: Int64 = 4
  /// As the footer has them.
  private var groups = ThriftWriter()
  private var groupCount = 0
  private var rowCount: Int64 = 0

  package init(
    _ schema: Schema, creator: String, metadata: [(name: String, value: String)] = [],
    compression: Compression = .best, limits: Limits = Limits()
  ) {
    records = RecordWriter(schema)
    self.creator = creator
    self.metadata = metadata
    self.compression = compression
    self.limits = limits
  }

  /// A record is complete.
  package mutating func endRecord() {
    if records.records >= limits.records || records.held >= limits.bytes { endGroup() }
  }

  package mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private mutating func append(_ more: [UInt8]) {
    bytes += more
    written += Int64(more.count)
  }

  private mutating func endGroup() {
    guard records.records > 0 else { return }
    records.complete()
    let start = written
    var unpacked = 0
    var chunks = ThriftWriter()
    for column in records.columns {
      let chunk = ColumnChunk(column, compression)
      unpacked += chunk.unpackedCount
      chunks.structure { chunk.write(to: &$0, column.leaf, at: written) }
      append(chunk.bytes)
    }
    let count = Int64(records.records)
    groups.structure { group in
      group.list(1, written: chunks.bytes, count: records.columns.count)
      group.field(2, Int64(unpacked))
      group.field(3, count)
      group.field(5, start)
      group.field(6, written - start)
      group.field(7, Int16(clamping: groupCount))
    }
    groupCount += 1
    rowCount += count
    records.removeAll()
  }

  /// The rest, and the footer.
  package mutating func finish() {
    endGroup()
    var footer = ThriftWriter()
    footer.structure { file in
      file.field(1, Int32(1))
      records.schema.write(to: &file, field: 2)
      file.field(3, rowCount)
      file.list(4, written: groups.bytes, count: groupCount)
      file.list(5, metadata) { (entry, pair) in
        entry.field(1, pair.name)
        entry.field(2, pair.value)
      }
      file.field(6, creator)
      // Bounds are in the order of the types; without that readers do not use them.
      file.list(7, records.columns) { (order, _) in order.field(1) { _ in } }
    }
    append(footer.bytes)
    var end: [UInt8] = []
    end.appendLittle(UInt32(clamping: footer.bytes.count))
    append(end + Array("PAR1".utf8))
  }
}

import Parquet

/// Makes records of a writer's calls: what would be a line of NDJSON is a row of a table, with the same fields.
struct TableBuilder {
  private(set) var file: ParquetWriter
  private var depth = 0

  init(_ file: ParquetWriter) {
    self.file = file
  }

  mutating func beginObject() {
    depth += 1
    file.records.beginGroup()
  }

  mutating func beginArray() {
    depth += 1
    file.records.beginList()
  }

  mutating func key(_ name: String) { file.records.name(name) }

  mutating func end() {
    depth -= 1
    file.records.end()
    if depth == 0 { file.endRecord() }
  }

  mutating func add(_ value: DocumentNode) {
    switch value {
    case .null: file.records.null()
    case .bool(let value): file.records.boolean(value)
    case .integer(let value): file.records.integer(value)
    case .number(let text): if let value = Double(text) { file.records.number(value) }
    case .string(let text): file.records.string(text)
    case .integers(let values):
      beginArray()
      for value in values { file.records.integer(value) }
      end()
    case .array(let elements):
      beginArray()
      for element in elements { add(element) }
      end()
    case .object(let fields):
      beginObject()
      for field in fields {
        key(field.key)
        add(field.value)
      }
      end()
    // Of pages only.
    case .embedded: file.records.null()
    }
  }

  mutating func time(_ nanoseconds: Int64) { file.records.time(nanoseconds) }

  mutating func finish() { file.finish() }

  var hasBytes: Bool { !file.bytes.isEmpty }
  mutating func takeBytes() -> [UInt8] { file.takeBytes() }
}

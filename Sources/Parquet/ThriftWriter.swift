/// Thrift's compact protocol, as far as footers and page headers need it.
/// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
struct ThriftWriter {
  private(set) var bytes: [UInt8] = []
  /// The number of the field before, in each open structure: headers hold the difference.
  private var fields: [Int16] = [0]

  private enum Kind: UInt8 {
    case yes = 1, no = 2
    case i16 = 4
    case i32 = 5
    case i64 = 6
    case binary = 8
    case list = 9
    case structure = 12
  }

  mutating func field(_ number: Int16, _ value: Bool) { header(number, value ? .yes : .no) }

  mutating func field(_ number: Int16, _ value: Int16) {
    header(number, .i16)
    bytes.appendZigzag(Int64(value))
  }

  mutating func field(_ number: Int16, _ value: Int32) {
    header(number, .i32)
    bytes.appendZigzag(Int64(value))
  }

  mutating func field(_ number: Int16, _ value: Int64) {
    header(number, .i64)
    bytes.appendZigzag(value)
  }

  mutating func field(_ number: Int16, _ value: [UInt8]) {
    header(number, .binary)
    append(value)
  }

  mutating func field(_ number: Int16, _ value: String) { field(number, Array(value.utf8)) }

  mutating func field(_ number: Int16, _ body: (inout ThriftWriter) -> Void) {
    header(number, .structure)
    structure(body)
  }

  mutating func list<Element>(
    _ number: Int16, _ elements: [Element], _ write: (inout ThriftWriter, Element) -> Void
  ) {
    header(number, .list)
    size(elements.count, .structure)
    for element in elements { structure { write(&$0, element) } }
  }

  mutating func list(_ number: Int16, _ values: [Int32]) {
    header(number, .list)
    size(values.count, .i32)
    for value in values { bytes.appendZigzag(Int64(value)) }
  }

  mutating func list(_ number: Int16, _ values: [String]) {
    header(number, .list)
    size(values.count, .binary)
    for value in values { append(Array(value.utf8)) }
  }

  /// Structures that are written already, each with its end.
  mutating func list(_ number: Int16, written: [UInt8], count: Int) {
    header(number, .list)
    size(count, .structure)
    bytes += written
  }

  /// One that stands in no field: the whole, or an element written before its list.
  mutating func structure(_ body: (inout ThriftWriter) -> Void) {
    fields.append(0)
    body(&self)
    fields.removeLast()
    bytes.append(0)
  }

  private mutating func header(_ number: Int16, _ kind: Kind) {
    let step = number - fields[fields.count - 1]
    fields[fields.count - 1] = number
    if step > 0, step <= 15 {
      bytes.append(UInt8(truncatingIfNeeded: step) << 4 | kind.rawValue)
    } else {
      bytes.append(kind.rawValue)
      bytes.appendZigzag(Int64(number))
    }
  }

  private mutating func size(_ count: Int, _ kind: Kind) {
    if count < 15 {
      bytes.append(UInt8(truncatingIfNeeded: count) << 4 | kind.rawValue)
    } else {
      bytes.append(0xF0 | kind.rawValue)
      bytes.appendVariable(UInt64(count))
    }
  }

  private mutating func append(_ value: [UInt8]) {
    bytes.appendVariable(UInt64(value.count))
    bytes += value
  }
}

import Citation

/// Fields beside each other whose values need no escape: numbers, words of this program, names that it makes.
protocol PlainFields {
  mutating func add(_ name: StaticString, number: Int64)
  mutating func add(_ name: StaticString, count: UInt64)
  mutating func add(_ name: StaticString, word: String)
  mutating func add(_ name: StaticString, time: Timestamp)
  mutating func add(_ name: StaticString, row: RowName)
}

extension PlainFields {
  /// What every line begins with.
  @inline(__always)
  mutating func row(_ type: String, _ time: Timestamp, _ uid: RowName?, _ capture: String) {
    add("type", word: type)
    add("time", time: time)
    add("captureId", word: capture)
    // Of the capture itself, where it is about no connection.
    add("uid", row: uid ?? RowName(capture))
  }
}

/// In any form, one after the other.
extension JSONWriter: PlainFields {
  mutating func add(_ name: StaticString, number: Int64) { field(FieldName(stringLiteral: name), number) }
  mutating func add(_ name: StaticString, count: UInt64) { field(FieldName(stringLiteral: name), count) }
  mutating func add(_ name: StaticString, word: String) { field(FieldName(stringLiteral: name), word) }
  mutating func add(_ name: StaticString, time: Timestamp) { field(FieldName(stringLiteral: name), at: time) }
  mutating func add(_ name: StaticString, row: RowName) { field(FieldName(stringLiteral: name), row) }
}

/// As text in one piece. There is a line for each piece of a stream, millions of them.
struct PlainFieldText: PlainFields {
  private var pen: Pen
  private var separator: JSONSeparator
  private let isBounded: Bool

  /// Writes what takes no more than `room` behind the fields of the open object, which is one on one line.
  static func write(to json: inout JSONWriter, room: Int, _ add: (inout PlainFieldText) -> Void) {
    let separator = json.takeSeparator()
    let isBounded = json.form.isBounded
    json.bytes.append(room: room) { pen in
      var fields = PlainFieldText(pen: pen, separator: separator, isBounded: isBounded)
      add(&fields)
      pen = fields.pen
    }
  }

  @inline(__always)
  private mutating func key(_ name: StaticString) {
    if separator.hasComma { pen.append(UInt8(ascii: ",")) }
    separator.hasComma = true
    pen.append(UInt8(ascii: "\""))
    pen.append(name.bytes)
    pen.append(UInt8(ascii: "\""))
    pen.append(UInt8(ascii: ":"))
  }

  @inline(__always)
  mutating func add(_ name: StaticString, number: Int64) {
    key(name)
    let number = JSONWriter.bounded(number, isBounded)
    if number < 0 { pen.append(UInt8(ascii: "-")) }
    pen.append(digits: number.magnitude)
  }

  @inline(__always)
  mutating func add(_ name: StaticString, count: UInt64) {
    key(name)
    pen.append(digits: isBounded ? min(count, UInt64(JSONWriter.largestExact)) : count)
  }

  @inline(__always)
  mutating func add(_ name: StaticString, word: String) {
    key(name)
    pen.append(UInt8(ascii: "\""))
    pen.append(word)
    pen.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  mutating func add(_ name: StaticString, time: Timestamp) {
    key(name)
    pen.append(UInt8(ascii: "\""))
    ClockTime(time).write(to: &pen)
    pen.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  mutating func add(_ name: StaticString, row: RowName) {
    key(name)
    pen.append(UInt8(ascii: "\""))
    row.write(to: &pen)
    pen.append(UInt8(ascii: "\""))
  }
}

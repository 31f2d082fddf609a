import Citation

extension JSONWriter {
  package mutating func integer(_ value: Int64) {
    let value = bounded(value)
    if adds(.integer(value)) { return }
    beginValue()
    append(value)
  }

  package mutating func integer(_ value: UInt64) {
    let value = form.isBounded ? min(value, UInt64(Self.largestExact)) : value
    if adds(Int64(exactly: value).map { .integer($0) } ?? .number(String(value))) { return }
    beginValue()
    bytes.append(digits: value)
  }

  /// `value` in units of 10^-scale: 1234 with scale 3 is 1.234. The places are always all there.
  package mutating func decimal(_ value: Int64, scale: Int) {
    guard scale > 0 else { return integer(value) }
    let value = bounded(value)
    if adds(.number(Self.text(value, scale: scale))) { return }
    beginValue()
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(decimal: value.magnitude, scale: scale)
  }

  private static func text(_ value: Int64, scale: Int) -> String {
    var json = JSONWriter()
    json.decimal(value, scale: scale)
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// A number as JSON writes it.
  package mutating func number(_ text: String) {
    if adds(.number(reading: text)) { return }
    beginValue()
    bytes.append(contentsOf: text.utf8)
  }

  /// A column of a table: an array on one line, in the indented form, too.
  package mutating func line(_ values: [Int64]) {
    guard !isTree else {
      let kept = values.map { bounded($0) }
      _ = adds(kept.isEmpty ? .array([]) : .integers(kept))
      return
    }
    beginValue()
    bytes.append(UInt8(ascii: "["))
    for start in stride(from: 0, to: values.count, by: Self.lineBlock) {
      append(values.span.extracting(start..<min(start + Self.lineBlock, values.count)), isFirst: start == 0)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// So many numbers are written at a time: to make room for each alone took as long as to write it.
  private static let lineBlock = 64

  private mutating func append(_ values: Span<Int64>, isFirst: Bool) {
    let isBounded = form.isBounded
    // With a comma and a sign.
    bytes.append(addingCapacity: values.count * (Digits.most + 2)) { output in
      output.withUnsafeMutableBufferPointer { room, count in
        for index in values.indices {
          let value = Self.bounded(values[index], isBounded)
          if index > 0 || !isFirst {
            room.initializeElement(at: count, to: UInt8(ascii: ","))
            count += 1
          }
          if value < 0 {
            room.initializeElement(at: count, to: UInt8(ascii: "-"))
            count += 1
          }
          let digits = Digits.count(of: value.magnitude)
          Digits.initialize(room, at: count, to: value.magnitude, width: digits)
          count += digits
        }
      }
    }
  }

  package mutating func line(_ name: FieldName, _ values: [Int64]) {
    key(name)
    line(values)
  }

  private mutating func append(_ value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(digits: value.magnitude)
  }

  private func bounded(_ value: Int64) -> Int64 { Self.bounded(value, form.isBounded) }

  @inline(__always)
  static func bounded(_ value: Int64, _ isBounded: Bool) -> Int64 {
    isBounded ? max(-largestExact, min(value, largestExact)) : value
  }
}

import Citation

/// Reads the fields of a message one after another; nil when one ends behind the message or the list that it stands in.
/// Parts are named by their place in the bytes, so that nothing is copied.
struct FieldCursor: ~Escapable {
  private let reader: ByteReader
  private(set) var place: Int
  private let end: Int

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, in range: Range<Int>) {
    reader = ByteReader(bytes)
    place = range.lowerBound
    end = min(range.upperBound, bytes.count)
  }

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.init(bytes, in: 0..<bytes.count) }

  var isAtEnd: Bool { place >= end }
  var rest: Range<Int> { min(place, end)..<end }

  @_lifetime(self: copy self)
  mutating func take(_ count: Int) -> Range<Int>? {
    guard count >= 0, count <= end - place else { return nil }
    defer { place += count }
    return place..<place + count
  }

  @_lifetime(self: copy self)
  mutating func u8() -> Int? { number(1) }
  @_lifetime(self: copy self)
  mutating func u16() -> UInt16? { number(2).map { UInt16($0) } }
  @_lifetime(self: copy self)
  mutating func u24() -> Int? { number(3) }
  @_lifetime(self: copy self)
  mutating func u32() -> UInt32? { number(4).map { UInt32($0) } }

  /// A list behind its length, which is a number of so many bytes.
  @_lifetime(self: copy self)
  mutating func list(_ lengthSize: Int) -> Range<Int>? {
    let before = place
    guard let length = number(lengthSize), let range = take(length) else {
      place = before
      return nil
    }
    return range
  }

  @_lifetime(self: copy self)
  private mutating func number(_ size: Int) -> Int? {
    guard let range = take(size) else { return nil }
    var value = 0
    for index in range { value = value << 8 | Int(reader.bytes[index]) }
    return value
  }
}

extension Span<UInt8> {
  func copy(_ range: Range<Int>, atMost limit: Int = .max) -> [UInt8] {
    extracting(range.lowerBound..<range.lowerBound + Swift.min(range.count, limit)).withUnsafeBufferPointer {
      Array($0)
    }
  }
}

import Citation

/// Classes of bytes in the grammar of HTTP (RFC 9110 §5.6).
extension UInt8 {
  @inlinable @inline(__always)
  package static var horizontalTab: UInt8 { 0x09 }
  @inlinable @inline(__always)
  package static var lineFeed: UInt8 { 0x0A }
  @inlinable @inline(__always)
  package static var carriageReturn: UInt8 { 0x0D }
  @inlinable @inline(__always)
  package static var space: UInt8 { 0x20 }
  @inlinable @inline(__always)
  package static var colon: UInt8 { 0x3A }

  @inlinable @inline(__always)
  package var isBlank: Bool { self == 0x20 || self == 0x09 }

  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// One bit per character of `token`; two registers instead of a table in memory.
  @inlinable @inline(__always)
  package var isTokenCharacter: Bool {
    let mask: UInt64 = self < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
    return self < 128 && (mask &>> UInt64(self)) & 1 != 0
  }

  /// The value of a hexadecimal digit, or 255.
  @inlinable @inline(__always)
  package var hexadecimalValue: UInt8 {
    let digit = self &- 0x30
    if digit < 10 { return digit }
    let letter = (self | 0x20) &- 0x61
    return letter < 6 ? letter &+ 10 : 255
  }

  @inlinable @inline(__always)
  package var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Whether bytes spell a name, without case. The name is given in lower case. Eight letters are compared at once: a head is
/// asked for dozens of names.
@inlinable
package func matches(_ bytes: Span<UInt8>, _ range: Range<Int>, _ lowercaseName: StaticString) -> Bool {
  let count = lowercaseName.utf8CodeUnitCount
  guard range.count == count, range.lowerBound >= 0, range.upperBound <= bytes.count else { return false }
  guard count >= 4 else {
    for index in 0..<count where bytes[range.lowerBound + index].lowercased != lowercaseName.utf8Start[index] {
      return false
    }
    return true
  }
  return bytes.withUnsafeBytes { memory in
    guard let base = memory.baseAddress else { return false }
    let text = base + range.lowerBound
    let name = UnsafeRawPointer(lowercaseName.utf8Start)
    guard count >= 8 else { return ends(of: text, count).lowercased == ends(of: name, count) }
    // The last eight are some of those before once more, where it is not a multiple of eight.
    var index = 0
    while index < count {
      let place = min(index, count - 8)
      let word = text.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      if word.lowercased != name.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
      index += 8
    }
    return true
  }
}

/// The first four bytes and the last four, of at least four.
@inlinable @inline(__always)
func ends(of bytes: UnsafeRawPointer, _ count: Int) -> UInt64 {
  let first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self)
  let last = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
  return UInt64(first) << 32 | UInt64(last)
}

/// Whether any byte is this one: eight are looked at at once.
package func holds(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
  bytes.withUnsafeBytes { memory in
    let wanted = UInt64(byte) &* 0x0101_0101_0101_0101
    var index = 0
    while index + 8 <= memory.count {
      let other = memory.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wanted
      if (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080 != 0 { return true }
      index += 8
    }
    while index < memory.count {
      if memory[index] == byte { return true }
      index += 1
    }
    return false
  }
}

/// Text for people: UTF-8 where the bytes are that, else each byte as Latin-1.
package func text(of bytes: some Collection<UInt8>) -> String {
  text(of: Array(bytes)[...])
}

/// The same of what most words of a head are: bytes of an array. Nearly all is ASCII, and is taken over as it is.
package func text(of bytes: ArraySlice<UInt8>) -> String {
  let ascii = bytes.withUnsafeBufferPointer { buffer -> String? in
    buffer.allSatisfy { $0 < 0x80 } ? String(decoding: buffer, as: UTF8.self) : nil
  }
  return ascii ?? String(validating: bytes, as: UTF8.self)
    ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

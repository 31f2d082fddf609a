/// Untrusted bytes as text that is safe on a terminal, in a log and on one line.
///
/// Printable text is unchanged, UTF-8 included. Characters that move the cursor, start a line, reverse the reading
/// order or are invisible are escaped: `\n` `\r` `\t`, `\x1B` for a byte, `\u{202E}` for a character. A backslash of the input stays
/// single, so text can pass through here twice (in a message and again where the message is printed) and be the same;
/// where a backslash must be distinguished from an escape, use the hexadecimal bytes or the document.
package enum EscapedText {
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      if Scalars.isPrintableASCII(byte) {
        output.append(byte)
        offset += 1
      } else if byte < 0x80 {
        appendControl(byte, to: &output)
        offset += 1
      } else if let (value, length) = Scalars.scalar(bytes, at: offset) {
        if Scalars.isHidden(value) {
          appendHidden(value, to: &output)
        } else {
          for index in offset..<offset + length { output.append(bytes[index]) }
        }
        offset += length
      } else {
        appendByte(byte, to: &output)
        offset += 1
      }
    }
  }

  package static func append(_ text: String, to output: inout [UInt8]) {
    if text.utf8.allSatisfy(Scalars.isPrintableASCII) {
      output.append(contentsOf: text.utf8)
    } else {
      append(text.utf8.span, to: &output)
    }
  }

  package static func text(_ bytes: Span<UInt8>) -> String {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    append(bytes, to: &output)
    return String(decoding: output, as: UTF8.self)
  }

  package static func text(_ text: String) -> String {
    self.text(text.utf8.span)
  }

  /// Finished lines for a terminal or a log: with the line ends and tabs that they have, and nothing else that steers it.
  package static func lines(_ text: String) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { output.append(UInt8(ascii: "\n")) }
      for (index, cell) in line.split(separator: "\t", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { output.append(UInt8(ascii: "\t")) }
        Ink.append(String(cell), isColored: false, to: &output)
      }
    }
    return output
  }

  /// Hexadecimal digits in groups of the given sizes, of which the last one repeats: `[1, 1, 4]` writes the head of a
  /// WebSocket frame as "89 82 37fa213d".
  package static func hex(_ bytes: Span<UInt8>, groups: [Int] = [1]) -> String {
    var output: [UInt8] = []
    var offset = 0
    var group = 0
    while offset < bytes.count {
      if offset > 0 { output.append(UInt8(ascii: " ")) }
      let size = group < groups.count ? groups[group] : groups.last ?? 1
      let end = offset + min(max(size, 1), bytes.count - offset)
      for index in offset..<end { appendDigits(UInt32(bytes[index]), width: 2, "0123456789abcdef", to: &output) }
      offset = end
      group += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// A control character below 0x80, by its short name where it has one.
  static func appendControl(_ byte: UInt8, to output: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\n"): output.append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\r"): output.append(contentsOf: "\\r".utf8)
    case UInt8(ascii: "\t"): output.append(contentsOf: "\\t".utf8)
    default: appendByte(byte, to: &output)
    }
  }

  static func appendByte(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(contentsOf: "\\x".utf8)
    appendDigits(UInt32(byte), width: 2, "0123456789ABCDEF", to: &output)
  }

  private static func appendHidden(_ value: UInt32, to output: inout [UInt8]) {
    output.append(contentsOf: "\\u{".utf8)
    let width = max(1, (32 - value.leadingZeroBitCount + 3) / 4)
    appendDigits(value, width: width, "0123456789ABCDEF", to: &output)
    output.append(UInt8(ascii: "}"))
  }

  static func appendDigits(_ value: UInt32, width: Int, _ digits: StaticString, to output: inout [UInt8]) {
    for place in stride(from: 4 * (width - 1), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> UInt32(place)) & 0xF
      digits.withUTF8Buffer { output.append($0[Int(digit)]) }
    }
  }
}

/// Which characters may be shown, and how they are found in bytes: one answer for text and for JSON.
enum Scalars {
  /// Whether text that may have been cut inside a character is UTF-8 up to there.
  static func isUTF8(upToCut bytes: Span<UInt8>) -> Bool {
    var offset = 0
    while offset < bytes.count {
      guard let (_, length) = scalar(bytes, at: offset) else { return bytes.count - offset < 4 && offset > 0 }
      offset += length
    }
    return true
  }

  @inline(__always)
  static func isPrintableASCII(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F }

  /// Characters that steer the display or cannot be seen: controls, marks of the reading order, joiners, line and
  /// paragraph separators, fillers, tags, variation selectors: Unicode's Cc and its default ignorable characters; and
  /// what colours text in here (see Ink).
  static func isHidden(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x20, 0x7F...0x9F: true
    case 0xAD, 0x034F, 0x061C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: true
    case 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: true
    case 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB: true
    case 0x10_FFF0...0x10_FFFF: true
    case 0x1_BCA0...0x1_BCA3, 0x1_D173...0x1_D17A, 0xE_0000...0xE_0FFF: true
    default: false
    }
  }

  /// The character whose encoding starts at `offset`, or nil where the bytes are not UTF-8: cut, overlong, a surrogate
  /// or beyond U+10FFFF.
  static func scalar(_ bytes: Span<UInt8>, at offset: Int) -> (value: UInt32, length: Int)? {
    let first = bytes[offset]
    let length: Int
    let smallest: UInt32
    var value: UInt32
    switch first {
    case 0..<0x80: return (UInt32(first), 1)
    case 0xC2...0xDF: (length, smallest, value) = (2, 0x80, UInt32(first & 0x1F))
    case 0xE0...0xEF: (length, smallest, value) = (3, 0x800, UInt32(first & 0xF))
    case 0xF0...0xF4: (length, smallest, value) = (4, 0x1_0000, UInt32(first & 0x7))
    default: return nil
    }
    guard length <= bytes.count - offset else { return nil }
    for index in offset + 1..<offset + length {
      guard bytes[index] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(bytes[index] & 0x3F)
    }
    guard value >= smallest, value <= 0x10_FFFF, !(0xD800...0xDFFF).contains(value) else { return nil }
    return (value, length)
  }

  static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
    var offset = 0
    while offset < bytes.count {
      guard let (_, length) = scalar(bytes, at: offset) else { return false }
      offset += length
    }
    return true
  }
}

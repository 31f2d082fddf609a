import Citation
import Digests

extension JSONWriter {
  package mutating func string(_ text: String) {
    if adds(.string(text)) { return }
    appendString(text, takeSeparator())
  }

  /// Bytes that should be UTF-8. Where they are, that is the string. Where not, each byte is the Latin-1 character of
  /// its number, a control character in the visible form of `EscapedText`; the answer is then false, and the caller
  /// adds the bytes themselves beside it.
  package mutating func string(latin1 source: Span<UInt8>) -> Bool {
    let isUTF8 = Scalars.isUTF8(source)
    if isUTF8 { string(utf8: source) } else { string(utf8: JSONWriter.latin1(source).span) }
    return isUTF8
  }

  private static func latin1(_ source: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    for index in source.indices {
      let byte = source[index]
      switch byte {
      case 0..<0x20, 0x7F: EscapedText.appendControl(byte, to: &text)
      case 0x80..<0xA0: EscapedText.appendByte(byte, to: &text)
      default: text.append(contentsOf: String(Unicode.Scalar(byte)).utf8)
      }
    }
    return text
  }

  package mutating func string(base64 source: Span<UInt8>) {
    guard !isTree else {
      let text = Base64.text(source)
      _ = adds(.string(text))
      return
    }
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    Base64.append(source, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Text in UTF-8 that is no string.
  mutating func string(utf8 source: Span<UInt8>) {
    guard !isTree else {
      _ = adds(.string(source.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }))
      return
    }
    let separator = takeSeparator()
    source.withUnsafeBufferPointer { appendText($0, separator) }
  }

  /// A key in its quotes and its colon, behind what stands between it and the value before.
  @inline(__always)
  mutating func append(_ name: FieldName, _ separator: JSONSeparator) {
    switch name.source {
    case .own(let name): appendPlain(name.bytes, separator, isKey: true)
    case .other(let name): appendString(name, separator, isKey: true)
    }
  }

  /// A value, or a key with its colon.
  @inline(__always)
  private mutating func appendString(_ text: String, _ separator: JSONSeparator, isKey: Bool = false) {
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { appendText($0, separator, isKey: isKey) }
    if isWritten == nil { appendCopy(of: text, separator, isKey: isKey) }
  }

  /// Of a string that is not where its bytes can be lent.
  private mutating func appendCopy(of text: String, _ separator: JSONSeparator, isKey: Bool) {
    Array(text.utf8).withUnsafeBufferPointer { appendText($0, separator, isKey: isKey) }
  }

  @inline(__always)
  private mutating func appendText(
    _ source: UnsafeBufferPointer<UInt8>, _ separator: JSONSeparator, isKey: Bool = false
  ) {
    if isPlainText(UnsafeRawBufferPointer(source), form.escapesMarkup) {
      appendPlain(source, separator, isKey: isKey)
    } else {
      appendEscaped(source, separator, isKey: isKey)
    }
  }

  /// Nearly all texts are written as they are, and in one piece.
  @inline(__always)
  private mutating func appendPlain(
    _ source: UnsafeBufferPointer<UInt8>, _ separator: JSONSeparator, isKey: Bool
  ) {
    let isSpaced = isKey && form.isIndented
    bytes.append(addingCapacity: separator.length + source.count + 4) { output in
      output.withUnsafeMutableBufferPointer { room, count in
        var at = separator.initialize(room)
        room.initializeElement(at: at, to: UInt8(ascii: "\""))
        at += 1
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[at...]).copyMemory(
          from: UnsafeRawBufferPointer(source))
        at += source.count
        room.initializeElement(at: at, to: UInt8(ascii: "\""))
        at += 1
        if isKey {
          room.initializeElement(at: at, to: UInt8(ascii: ":"))
          at += 1
        }
        if isSpaced {
          room.initializeElement(at: at, to: UInt8(ascii: " "))
          at += 1
        }
        count = at
      }
    }
  }

  private mutating func appendEscaped(_ source: UnsafeBufferPointer<UInt8>, _ separator: JSONSeparator, isKey: Bool) {
    append(separator)
    bytes.append(UInt8(ascii: "\""))
    appendUTF8(source.span)
    bytes.append(UInt8(ascii: "\""))
    guard isKey else { return }
    bytes.append(UInt8(ascii: ":"))
    if form.isIndented { bytes.append(UInt8(ascii: " ")) }
  }

  /// A text that is put together where it stands. Nothing of it may need an escape.
  mutating func string(composedBy compose: (inout [UInt8]) -> Void) {
    guard !isTree else {
      var text: [UInt8] = []
      compose(&text)
      _ = adds(.string(String(decoding: text, as: UTF8.self)))
      return
    }
    beginValue()
    bytes.append(UInt8(ascii: "\""))
    compose(&bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Escapes what JSON wants escaped and what a reader should not meet raw. Bytes that are not UTF-8 do not come here;
  /// if they did, each would become a replacement character.
  private mutating func appendUTF8(_ source: Span<UInt8>) {
    var offset = 0
    while offset < source.count {
      let byte = source[offset]
      if JSONWriter.isPlain(byte, form.escapesMarkup) {
        bytes.append(byte)
        offset += 1
        continue
      }
      guard let (value, length) = Scalars.scalar(source, at: offset) else {
        appendEscape(0xFFFD)
        offset += 1
        continue
      }
      switch value {
      case 0x22, 0x5C:
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: bytes.append(contentsOf: "\\n".utf8)
      case 0x0D: bytes.append(contentsOf: "\\r".utf8)
      case 0x09: bytes.append(contentsOf: "\\t".utf8)
      case 0..<0x80: appendEscape(value)
      default:
        if Scalars.isHidden(value) {
          appendEscape(value)
        } else {
          for index in offset..<offset + length { bytes.append(source[index]) }
        }
      }
      offset += length
    }
  }

  /// ASCII that stands in a string as it is.
  @inline(__always)
  private static func isPlain(_ byte: UInt8, _ escapesMarkup: Bool) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): !escapesMarkup
    default: Scalars.isPrintableASCII(byte)
    }
  }

  /// `\u202e`; a character beyond the first 65,536 as its two surrogates.
  private mutating func appendEscape(_ value: UInt32) {
    guard value > 0xFFFF else { return appendUnit(value) }
    appendUnit(0xD800 + (value - 0x1_0000) >> 10)
    appendUnit(0xDC00 + (value - 0x1_0000) & 0x3FF)
  }

  private mutating func appendUnit(_ unit: UInt32) {
    bytes.append(contentsOf: "\\u".utf8)
    EscapedText.appendDigits(unit, width: 4, "0123456789abcdef", to: &bytes)
  }
}

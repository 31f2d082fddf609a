import Citation

/// The parts of a multipart body in bytes from the middle of it: a delimiter line, and the fields of a part behind it.
///
/// Parts of forms are not looked for, since clients send them; nor those that say how mail encoded them.
struct OpenParts {
  /// RFC 2046 §5.1.1.
  private static let longestBoundary = 70
  private static let longestField = 256

  let boundary: [UInt8]
  /// Where the delimiter begins.
  let start: Int

  /// The first part whose fields are whole.
  init?(in bytes: Span<UInt8>) {
    var start: Int? = 0
    while let at = start {
      if let boundary = Self.boundary(bytes, at: at) {
        self.boundary = boundary
        self.start = at
        return
      }
      start = Self.nextLine(bytes, from: at)
    }
    return nil
  }

  private static func boundary(_ bytes: Span<UInt8>, at start: Int) -> [UInt8]? {
    guard start + 3 < bytes.count, bytes[start] == UInt8(ascii: "-"), bytes[start + 1] == UInt8(ascii: "-"),
      let next = nextLine(bytes, from: start), 0x21..<0x7F ~= bytes[start + 2], next - start - 4 <= longestBoundary
    else { return nil }
    var boundary: [UInt8] = []
    for index in start + 2..<next - 2 {
      guard 0x20..<0x7F ~= bytes[index] else { return nil }
      boundary.append(bytes[index])
    }
    // `--boundary--` is the end.
    guard !boundary.isEmpty, !boundary.elementsEqual("--".utf8), areFields(bytes, from: next) else { return nil }
    return boundary
  }

  /// Lines of fields up to an empty one, among them one that says what the part is.
  private static func areFields(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    var at = start
    var isTyped = false
    while let next = nextLine(bytes, from: at) {
      if next == at + 2 { return isTyped }
      let name = fieldName(bytes, at..<next - 2)
      switch name {
      case "content-type", "content-length", "content-range": isTyped = true
      case nil, "content-transfer-encoding", "content-disposition": return false
      default: break
      }
      at = next
    }
    return false
  }

  private static func fieldName(_ bytes: Span<UInt8>, _ line: Range<Int>) -> String? {
    guard line.count <= longestField else { return nil }
    var name: [UInt8] = []
    for index in line {
      let byte = bytes[index]
      if byte == UInt8(ascii: ":") { return name.isEmpty ? nil : String(decoding: name, as: UTF8.self) }
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): name.append(byte | 0x20)
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
        name.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private static func nextLine(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    var at = start
    while at + 1 < bytes.count {
      if bytes[at] == .carriageReturn, bytes[at + 1] == .lineFeed { return at + 2 }
      at += 1
    }
    return nil
  }
}

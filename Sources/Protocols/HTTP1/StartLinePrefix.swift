import Citation
import HTTPSemantics

/// What the first bytes of a line promise.
enum StartLinePrefix {
  case certain, impossible, undecided

  /// Longer methods are not waited for.
  static let longestMethod = 40

  /// The answer to a prefix never changes once it is not `undecided`, so it may be asked at any cut. An unknown method
  /// stays undecided until the whole line is there.
  static func read(_ role: HTTP1Role, _ bytes: Span<UInt8>, knownMethodsOnly: Bool = false) -> StartLinePrefix {
    var start = 0
    while start < bytes.count, bytes[start].isBlank { start += 1 }
    if start > longestMethod { return .impossible }
    switch role {
    case .response:
      let name: [5 of UInt8] = [0x68, 0x74, 0x74, 0x70, 0x2F]
      for index in 0..<5 {
        guard start + index < bytes.count else { return .undecided }
        if bytes[start + index].lowercased != name[index] { return .impossible }
      }
      return .certain
    case .request:
      var end = start
      while end < bytes.count, bytes[end].isTokenCharacter { end += 1 }
      if end - start > longestMethod { return .impossible }
      guard end < bytes.count else { return .undecided }
      guard bytes[end].isBlank, end > start else { return .impossible }
      if Method(bytes, start..<end) != .other { return .certain }
      let name = text(of: (start..<end).map { bytes[$0] })
      if Method.isKnown(name.uppercased()) { return .certain }
      return knownMethodsOnly ? .impossible : .undecided
    }
  }
}

/// Finding a start line among bytes that belong to nothing. Stricter than reading one: the shape must be complete.
enum StartLineSearch {
  /// Where in a whole line a start line begins. `anywhere` also finds one behind any bytes that stand before it; a status
  /// line is found where a body may end.
  static func find(_ role: HTTP1Role, _ bytes: Span<UInt8>, anywhere: Bool) -> Int? {
    switch role {
    case .response: status(bytes, anywhere: anywhere)
    case .request: request(bytes, anywhere: anywhere)
    }
  }

  /// Whether a body may end with this byte, and a status line follow at once: a line's end, a letter or digit, the last
  /// bracket of JSON, or what is no text. Where a text quotes a status line, a blank, a quotation mark or a bracket of
  /// another kind stands before it.
  static func mayEndBody(_ byte: UInt8) -> Bool {
    switch byte {
    case .lineFeed, UInt8(ascii: "}"), UInt8(ascii: "]"): true
    case .horizontalTab, .carriageReturn: false
    default: byte < 0x20 || byte >= 0x7F || byte.isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
  }

  private static func status(_ bytes: Span<UInt8>, anywhere: Bool) -> Int? {
    var from = 0
    while let start = firstPlace(of: statusLineStart, in: bytes, from..<bytes.count),
      start + statusLength <= bytes.count
    {
      if anywhere || start == 0 || mayEndBody(bytes[start - 1]),
        mayBeginStatusLine(bytes.extracting(start..<start + statusLength))
      {
        return start
      }
      from = start + 1
    }
    return nil
  }

  static let statusLineStart = UInt8(ascii: "H")
  /// `HTTP/1.` and a digit, a space, three digits, and what must follow them.
  static let statusLength = 13

  /// Whether bytes are, or could become, the beginning of a status line as `status` finds it.
  static func mayBeginStatusLine(_ bytes: Span<UInt8>) -> Bool {
    let shape: StaticString = "HTTP/1.# ### "
    guard bytes.count <= shape.utf8CodeUnitCount else { return false }
    return shape.withUTF8Buffer { shape in
      for index in 0..<bytes.count {
        let byte = bytes[index]
        switch shape[index] {
        case UInt8(ascii: "#"): if !byte.isDigit { return false }
        case .space where index == shape.count - 1:
          if byte != .space, byte != .carriageReturn, byte != .lineFeed { return false }
        case let wanted: if byte != wanted { return false }
        }
      }
      return true
    }
  }

  /// A method, one word, and ` HTTP/1.` with 0 or 1 at the line's end.
  private static func request(_ bytes: Span<UInt8>, anywhere: Bool) -> Int? {
    var end = bytes.count
    if end > 0, bytes[end - 1] == .lineFeed { end -= 1 }
    if end > 0, bytes[end - 1] == .carriageReturn { end -= 1 }
    let tail: StaticString = " http/1."
    let version = end - 1 - tail.utf8CodeUnitCount
    guard version > 0, matches(bytes, version..<end - 1, tail), bytes[end - 1].isDigit else { return nil }
    var target = version
    while target > 0, bytes[target - 1] != .space { target -= 1 }
    guard target < version, target > 1 else { return nil }
    let nameEnd = target - 1
    var start = nameEnd
    while start > 0, bytes[start - 1].isTokenCharacter { start -= 1 }
    guard nameEnd > start, nameEnd - start <= StartLinePrefix.longestMethod else { return nil }
    if start == 0, bytes[0] & 0xDF &- 0x41 < 26 { return 0 }
    guard anywhere else { return nil }
    while start < nameEnd {
      if Method.isKnown(text(of: (start..<nameEnd).map { bytes[$0] })) { return start }
      start += 1
    }
    return nil
  }

  /// Whether a whole line is a chunk's size line.
  static func isChunkSize(_ bytes: Span<UInt8>) -> Bool {
    var digits = 0
    while digits < bytes.count, bytes[digits].hexadecimalValue < 16 { digits += 1 }
    guard digits > 0, digits <= 16, bytes.count >= digits + 2, bytes[bytes.count - 2] == .carriageReturn else {
      return false
    }
    let next = bytes[digits]
    return digits == bytes.count - 2 || next == UInt8(ascii: ";")
  }
}

import Citation
import TLSSemantics

/// What is wrong with one message, the first few of it: a message of flaws alone is not reported byte by byte.
struct Flaws {
  private static let limit = 8

  let type: HandshakeType
  let span: ByteSpan
  private(set) var found: [HandshakeFlaw] = []

  init(_ type: HandshakeType, _ span: ByteSpan) {
    self.type = type
    self.span = span
  }

  mutating func note(_ kind: HandshakeFlaw.Kind, _ field: String = "") {
    guard found.count < Self.limit else { return }
    found.append(HandshakeFlaw(kind, type, field: field, span))
  }

  /// The items of a list of numbers of two bytes, which may not be empty.
  mutating func numbers(_ bytes: Span<UInt8>, _ range: Range<Int>, _ field: String) -> [UInt16] {
    if range.isEmpty || range.count % 2 != 0 { note(.illegalLength, field) }
    var cursor = FieldCursor(bytes, in: range)
    var numbers: [UInt16] = []
    while let number = cursor.u16() { numbers.append(number) }
    return numbers
  }

  /// The list that an extension or a field consists of, all of it.
  mutating func onlyList(
    _ bytes: Span<UInt8>, _ range: Range<Int>, lengthSize: Int, _ field: String
  ) -> Range<Int>? {
    var cursor = FieldCursor(bytes, in: range)
    guard let list = cursor.list(lengthSize) else {
      note(.overrun, field)
      return nil
    }
    if !cursor.isAtEnd { note(.excess, field) }
    return list
  }

  /// Names of ALPN, one byte of length each (RFC 7301 §3.1).
  mutating func protocols(_ bytes: Span<UInt8>, _ range: Range<Int>, _ field: String) -> [[UInt8]] {
    guard let list = onlyList(bytes, range, lengthSize: 2, field) else { return [] }
    if list.isEmpty { note(.illegalLength, field) }
    var cursor = FieldCursor(bytes, in: list)
    var names: [[UInt8]] = []
    while !cursor.isAtEnd {
      guard let name = cursor.list(1) else {
        note(.overrun, field)
        break
      }
      if name.isEmpty { note(.illegalLength, field) }
      if names.count < ClientHello.protocolLimit { names.append(bytes.copy(name)) }
    }
    return names
  }

  /// Walks over extensions (RFC 8446 §4.2), and answers their codes in order.
  mutating func extensions(
    _ bytes: Span<UInt8>, _ range: Range<Int>,
    _ visit: (_ code: TLSExtension, _ body: Range<Int>, _ flaws: inout Flaws) -> Void
  ) -> [UInt16] {
    var cursor = FieldCursor(bytes, in: range)
    var codes: [UInt16] = []
    var seen: Set<UInt16> = []
    while !cursor.isAtEnd {
      guard let code = cursor.u16(), let body = cursor.list(2) else {
        note(.overrun, "extensions")
        break
      }
      codes.append(code)
      let item = TLSExtension(rawValue: code)
      guard seen.insert(code).inserted else {
        note(.duplicate, item.name)
        continue
      }
      visit(item, body, &self)
    }
    return codes
  }
}

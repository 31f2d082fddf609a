import Citation

/// One field line, as places in its block.
public struct HeaderField: Hashable, Sendable {
  private var nameStart: UInt32
  private var nameEnd: UInt32
  private var valueStart: UInt32
  private var valueEnd: UInt32

  package init(name: Range<Int>, value: Range<Int>) {
    nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
    nameEnd = UInt32(truncatingIfNeeded: name.upperBound)
    valueStart = UInt32(truncatingIfNeeded: value.lowerBound)
    valueEnd = UInt32(truncatingIfNeeded: value.upperBound)
  }

  /// Without blanks around.
  package var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
  /// By which most names differ.
  fileprivate var nameLength: UInt32 { nameEnd &- nameStart }
  /// Without blanks around; the line ends of folded lines stay in it.
  package var value: Range<Int> {
    get { Int(valueStart)..<Int(valueEnd) }
    set {
      valueStart = UInt32(truncatingIfNeeded: newValue.lowerBound)
      valueEnd = UInt32(truncatingIfNeeded: newValue.upperBound)
    }
  }
}

/// The fields of a head or of a trailer section, as received and in order.
///
/// `bytes` is the section as text (a head's with its start line), at most `limit` of them; every range is an index into
/// it. In HTTP/1 they are the bytes of the wire; where fields are encoded they are written out, and each field has a
/// citation of its own. Where a part stood on the wire is asked of `span(of:)` in either case. `fieldLimit` fields are
/// listed and the rest only counted: they still took part in framing.
///
/// A class, because every rule takes a head into its hand: as a struct, its three arrays were counted up and down for
/// each, which took a thirtieth of a run. Public, as what is asked for inline: a method that is package is called from other modules,
/// though it be inlinable.
public final class HeaderBlock: Hashable, Sendable {
  package static let limit = 64 * 1024
  package static let fieldLimit = 1000

  package let bytes: [UInt8]
  package let fields: [HeaderField]
  /// A bit for each name that is there: most fields that are asked for are not, and one look tells.
  @usableFromInline let presence: Presence
  /// Those of its names that rules are chosen by.
  package let known: FieldNames
  /// False when no name is there twice.
  package let mayRepeat: Bool
  /// A hash of the names as they are written, in their order: a side's heads mostly have those of the one before.
  package let spelling: Int
  package let hasUnderscore: Bool
  /// Fields that are not listed by their names: beyond the limit, or entries of a table that was filled in what the
  /// capture lacks.
  package let fieldsCut: Int
  /// What is not among `fields` may yet have been sent.
  package var lacksFields: Bool { fieldsCut > 0 }
  /// Where `bytes` begins in the stream, if they are the wire's own.
  private let offset: UInt64
  package let trail: PacketTrail
  /// Where each of `fields` was encoded; empty if `bytes` are the wire's own.
  private let citations: [ByteSpan]
  /// Whether and how it is of gRPC, by its type. Found once: a call is asked for it again and again.
  package let grpcType: GRPCType?

  /// With the objects around it, and what bytes that came in several packets have room for.
  package var heldBytes: Int {
    (trail.packets > 1 ? ArrayRoom.grown(to: bytes.count) : bytes.count)
      + fields.count * MemoryLayout<HeaderField>.stride + citations.count * MemoryLayout<ByteSpan>.stride + 256
  }

  package init(
    bytes: [UInt8] = [], fields: [HeaderField] = [], fieldsCut: Int = 0, offset: UInt64 = 0,
    trail: PacketTrail = PacketTrail()
  ) {
    self.bytes = bytes
    self.fields = fields
    let names = Names(of: fields, in: bytes.span)
    (presence, mayRepeat, spelling, hasUnderscore) =
      (names.presence, names.mayRepeat, names.spelling, names.hasUnderscore)
    known = FieldNames(of: fields, in: bytes.span)
    grpcType = HeaderBlock.grpcType(of: fields, known, in: bytes)
    self.fieldsCut = fieldsCut
    self.offset = offset
    self.trail = trail
    citations = []
  }

  /// A field as a decoder gives it.
  package struct DecodedField: Sendable {
    package var name: [UInt8]
    package var value: [UInt8]
    /// The bytes that encoded it.
    package var citation: ByteSpan

    package init(name: [UInt8], value: [UInt8], citation: ByteSpan) {
      self.name = name
      self.value = value
      self.citation = citation
    }
  }

  /// A section whose fields were encoded on the wire, written out as lines: each of `fields` has a citation.
  package init(written bytes: [UInt8], fields: [HeaderField], citations: [ByteSpan], fieldsCut: Int = 0) {
    self.bytes = bytes
    self.fields = fields
    self.citations = citations
    let names = Names(of: fields, in: bytes.span)
    (presence, mayRepeat, spelling, hasUnderscore) =
      (names.presence, names.mayRepeat, names.spelling, names.hasUnderscore)
    known = FieldNames(of: fields, in: bytes.span)
    grpcType = HeaderBlock.grpcType(of: fields, known, in: bytes)
    self.fieldsCut = fieldsCut
    offset = 0
    trail = PacketTrail()
  }

  /// The same of fields one by one. Fields beyond the limits are only counted.
  package convenience init(decoded: [DecodedField], fieldsCut: Int = 0) {
    var bytes: [UInt8] = []
    var fields: [HeaderField] = []
    var citations: [ByteSpan] = []
    for field in decoded {
      let length = field.name.count + field.value.count + 4
      guard fields.count < HeaderBlock.fieldLimit, bytes.count + length <= HeaderBlock.limit else { break }
      let name = bytes.count..<bytes.count + field.name.count
      bytes += field.name
      bytes += [UInt8(ascii: ":"), .space]
      let value = bytes.count..<bytes.count + field.value.count
      bytes += field.value
      bytes += [.carriageReturn, .lineFeed]
      fields.append(HeaderField(name: name, value: value))
      citations.append(field.citation)
    }
    self.init(
      written: bytes, fields: fields, citations: citations, fieldsCut: fieldsCut + decoded.count - fields.count)
  }

  public static func == (left: HeaderBlock, right: HeaderBlock) -> Bool {
    left.offset == right.offset && left.bytes == right.bytes && left.fields == right.fields
      && left.fieldsCut == right.fieldsCut && left.trail == right.trail && left.citations == right.citations
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(offset)
    hasher.combine(bytes)
  }

  /// Where a part of the block stood on the wire; of decoded fields, where those that it touches were encoded.
  package func span(of range: Range<Int>) -> ByteSpan {
    guard !citations.isEmpty else { return trail.span(of: range, base: offset) }
    let first = fields.firstIndex { $0.value.upperBound > range.lowerBound } ?? fields.count - 1
    let last = max(first, fields.lastIndex { $0.name.lowerBound < range.upperBound } ?? first)
    let from = citations[first]
    let to = citations[last]
    let end = max(from.range.upperBound, to.range.upperBound)
    return ByteSpan(from.range.lowerBound..<end, first: from.first, last: to.last)
  }

  package func excerpt(of range: Range<Int>) -> Excerpt {
    let bytes = bytes
    let piece = range.clamped(to: 0..<bytes.count)
    // A value is what its name makes of it.
    let field = fields.first { $0.name.lowerBound < piece.lowerBound && piece.lowerBound < $0.value.upperBound }
    return Excerpt(of: piece, in: (field?.name.lowerBound ?? piece.lowerBound)..<piece.upperBound, of: bytes.span)
  }

  package func text(of range: Range<Int>) -> String {
    HTTPSemantics.text(of: bytes[range.clamped(to: 0..<bytes.count)])
  }

  package func name(_ field: HeaderField) -> String { text(of: field.name) }

  /// The value as text; folded lines are joined by one space (RFC 9112 §5.2).
  package func value(_ field: HeaderField) -> String {
    let raw = bytes[field.value.clamped(to: 0..<bytes.count)]
    guard raw.contains(.lineFeed) else { return HTTPSemantics.text(of: raw) }
    let lines = raw.split(separator: .lineFeed).map { line in
      let trimmed = line.drop { $0.isBlank }
      return trimmed.prefix(trimmed.count - trimmed.reversed().prefix { $0.isBlank || $0 == .carriageReturn }.count)
    }
    return HTTPSemantics.text(of: Array(lines.filter { !$0.isEmpty }.joined(separator: [.space])))
  }

  /// Whether a field has a name, given in lower case.
  package func isNamed(_ lowercaseName: StaticString, _ field: HeaderField) -> Bool {
    let bytes = bytes
    return matches(bytes.span, field.name, lowercaseName)
  }

  /// A field of HTTP/2 that stands for a part of a start line. In HTTP/1 no name begins with a colon.
  package func isPseudo(_ field: HeaderField) -> Bool {
    field.name.lowerBound < field.name.upperBound && field.name.lowerBound < bytes.count
      && bytes[field.name.lowerBound] == .colon
  }

  /// Whether a part of it reads like a word, without case, which is given in lower case.
  public func reads(_ lowercaseWord: StaticString, at range: Range<Int>) -> Bool {
    let bytes = bytes
    return matches(bytes.span, range, lowercaseWord)
  }

  /// Whether one of some words stands anywhere in a part of it, without case; they are given in lower case.
  package func contains(anyOf lowercaseWords: [StaticString], in range: Range<Int>) -> Bool {
    let held = bytes
    let bytes = held.span
    let range = range.clamped(to: bytes.indices)
    for start in range {
      let first = bytes[start].lowercased
      for word in lowercaseWords where word.utf8Start[0] == first {
        let end = start + word.utf8CodeUnitCount
        if end <= range.upperBound, matches(bytes, start..<end, word) { return true }
      }
    }
    return false
  }

  /// The first field of a name, given in lower case. Inline in every module, so that the place of its bit is known to the
  /// compiler: most names are not there, and then this is a test of a bit.
  @inlinable @inline(__always)
  public func first(_ lowercaseName: StaticString) -> HeaderField? {
    mayHave(lowercaseName) ? search(lowercaseName) : nil
  }

  @usableFromInline
  func search(_ lowercaseName: StaticString) -> HeaderField? {
    let (bytes, fields) = (bytes, fields)
    let length = UInt32(truncatingIfNeeded: lowercaseName.utf8CodeUnitCount)
    for field in fields where field.nameLength == length {
      if matches(bytes.span, field.name, lowercaseName) { return field }
    }
    return nil
  }

  /// All fields of a name, given in lower case, in order.
  package func all(_ lowercaseName: StaticString) -> [HeaderField] {
    guard mayHave(lowercaseName) else { return [] }
    return fields.filter { isNamed(lowercaseName, $0) }
  }

  /// False when no field has the name; true when one may have it.
  @inlinable @inline(__always)
  func mayHave(_ lowercaseName: StaticString) -> Bool {
    let count = lowercaseName.utf8CodeUnitCount
    guard count > 0 else { return true }
    return presence.has(Presence.place(count, lowercaseName.utf8Start[0], lowercaseName.utf8Start[count - 1]))
  }

  /// A bit for each name, by its length and its first and last letter.
  @usableFromInline
  struct Presence: Sendable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: UInt64 = 0

    @inlinable @inline(__always)
    static func place(_ count: Int, _ first: UInt8, _ last: UInt8) -> UInt64 {
      UInt64(truncatingIfNeeded: count &* 7 &+ Int(first) &+ Int(last) &* 21) & 127
    }

    @inlinable @inline(__always)
    func has(_ place: UInt64) -> Bool { (place < 64 ? low : high) &>> (place & 63) & 1 != 0 }

    @inline(__always)
    mutating func set(_ place: UInt64) {
      if place < 64 { low |= 1 &<< place } else { high |= 1 &<< (place & 63) }
    }
  }

  /// What one look at all names tells.
  private struct Names {
    private(set) var presence = Presence()
    private(set) var mayRepeat = false
    private(set) var hasUnderscore = false
    private var mixer = WordMixer()

    var spelling: Int { mixer.value }

    init(of fields: [HeaderField], in bytes: Span<UInt8>) {
      for field in fields {
        let name = field.name
        guard !name.isEmpty, name.upperBound <= bytes.count else { continue }
        let place = Presence.place(
          name.count, bytes[name.lowerBound].lowercased, bytes[name.upperBound - 1].lowercased)
        mayRepeat = mayRepeat || presence.has(place)
        presence.set(place)
        mixer.combine(bytes.extracting(name))
        hasUnderscore = hasUnderscore || holds(UInt8(ascii: "_"), bytes.extracting(name))
      }
    }
  }

  /// The text of the first field of a name, given in lower case.
  package func value(_ lowercaseName: StaticString) -> String? {
    first(lowercaseName).map { value($0) }
  }

  /// The number that a value is; nil where it is none. By its bytes: lengths and codes are asked for again and again.
  public func number(_ field: HeaderField) -> UInt64? {
    let (held, place) = (bytes, field.value)
    let bytes = held.span
    guard 1...18 ~= place.count, place.upperBound <= bytes.count else { return UInt64(value(field)) }
    var number: UInt64 = 0
    for index in place {
      guard bytes[index].isDigit else { return UInt64(value(field)) }
      number = number &* 10 &+ UInt64(bytes[index] &- UInt8(ascii: "0"))
    }
    return number
  }

  /// The same of the first field of a name, given in lower case.
  @inlinable @inline(__always)
  public func number(_ lowercaseName: StaticString) -> UInt64? {
    first(lowercaseName).flatMap { number($0) }
  }

  /// The elements of all list values of a name, given in lower case; see FieldList.
  package func elements(_ lowercaseName: StaticString) -> [Range<Int>] {
    let bytes = bytes
    return all(lowercaseName).flatMap { FieldList.elements(bytes.span, $0.value) }
  }

  /// Whether a list value of a name holds a token, without case; both are given in lower case.
  @inlinable @inline(__always)
  public func contains(_ token: StaticString, in lowercaseName: StaticString) -> Bool {
    hasElement(lowercaseName) { reads(token, at: $0) }
  }

  /// Whether one of the elements of all list values of a name, given in lower case, is such. Without a list of them.
  @inlinable @inline(__always)
  public func hasElement(_ lowercaseName: StaticString, where isSuch: (Range<Int>) -> Bool) -> Bool {
    mayHave(lowercaseName) && searchElements(lowercaseName, isSuch)
  }

  @usableFromInline
  func searchElements(_ lowercaseName: StaticString, _ isSuch: (Range<Int>) -> Bool) -> Bool {
    let held = bytes
    for field in fields where matches(held.span, field.name, lowercaseName) {
      if FieldList.hasElement(held.span, field.value, where: isSuch) { return true }
    }
    return false
  }
}

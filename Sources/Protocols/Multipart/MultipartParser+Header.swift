import Citation
import HTTPSemantics

// The header of a part, which begins at the first byte held.
extension MultipartParser {
  private enum Line {
    case undecided
    /// The empty line; where the data begin.
    case blank(end: Int, hasBareLF: Bool)
    case field(HeaderField, end: Int, hasBareLF: Bool)
    case folded(end: Int, hasBareLF: Bool)
    /// No line of a header.
    case data
    /// A field, and data glued to it from an index on.
    case glued(HeaderField, at: Int)
    case tooLong
  }

  /// Reads the next line; answers whether that was possible.
  mutating func readHeader(isOver: Bool, into tokens: inout [MultipartToken]) -> Bool {
    guard lineStart < held.count else { return false }
    let line = lineStart
    let read = readLine(isOver: isOver)
    switch read {
    case .undecided: return false
    case .blank(let end, let hasBareLF):
      if hasBareLF { note(.bareLF, line..<end, &tokens) }
      beginPart(header: end, data: end, nil, &tokens)
    case .field(let field, let end, let hasBareLF):
      if hasBareLF { note(.bareLF, line..<end, &tokens) }
      if fields.count < Self.fieldLimit { fields.append(field) } else { fieldsCut += 1 }
      previousLine = lineStart
      lineStart = end
      searched = end
    case .folded(let end, let hasBareLF):
      if hasBareLF { note(.bareLF, line..<end, &tokens) }
      if let last = fields.indices.last, fieldsCut == 0 {
        let text = FieldList.trim(held.bytes.span, line..<end)
        fields[last].value = fields[last].value.lowerBound..<max(fields[last].value.upperBound, text.upperBound)
      }
      previousLine = lineStart
      lineStart = end
      searched = end
    case .data:
      beginPart(header: line, data: line, fields.isEmpty ? .headerMissing : .blankLineMissing, &tokens)
    case .glued(let field, let index):
      if fields.count < Self.fieldLimit { fields.append(field) } else { fieldsCut += 1 }
      beginPart(header: index, data: index, .blankLineMissing, &tokens)
    case .tooLong: beginPart(header: line, data: line, .headerTooLarge, &tokens)
    }
    return true
  }

  private func note(_ kind: MultipartLenience.Kind, _ range: Range<Int>, _ tokens: inout [MultipartToken]) {
    tokens.append(
      .lenience(MultipartLenience(kind, part: part + 1, held.span(of: range), held.excerpt(range))))
  }

  // MARK: A line

  private mutating func readLine(isOver: Bool) -> Line {
    let bound = min(held.count, MultipartLenience.headerLimit)
    let start = lineStart
    /// What to say when the bytes end before the line is understood.
    let short: Line = bound == MultipartLenience.headerLimit ? .tooLong : isOver ? .data : .undecided
    guard start < bound else { return short }
    switch held.bytes[start] {
    case .lineFeed: return .blank(end: start + 1, hasBareLF: true)
    case .carriageReturn:
      guard start + 1 < bound else { return short }
      return held.bytes[start + 1] == .lineFeed ? .blank(end: start + 2, hasBareLF: false) : .data
    case let byte where byte.isBlank && !fields.isEmpty:
      searched = max(searched, start)
      guard let end = lineEnd(bound) else { return oddEnd(start..<start, bound, isOver, short, isFolded: true) }
      return .folded(end: end.index, hasBareLF: end.hasBareLF)
    default: break
    }
    var name = start
    while name < bound, held.bytes[name].isTokenCharacter { name += 1 }
    var colon = name
    while colon < bound, held.bytes[colon].isBlank { colon += 1 }
    guard colon < bound else { return short }
    // A line that begins with two dashes is rather a delimiter than a field.
    let isDashed = held.has([UInt8(ascii: "-"), UInt8(ascii: "-")], at: start) == true
    guard held.bytes[colon] == .colon, name > start, !isDashed else { return .data }
    searched = max(searched, colon + 1)
    guard let end = lineEnd(bound) else { return oddEnd(start..<name, bound, isOver, short, isFolded: false) }
    let value = FieldList.trim(held.bytes.span, colon + 1..<end.index)
    return .field(HeaderField(name: start..<name, value: value), end: end.index, hasBareLF: end.hasBareLF)
  }

  /// Where the line ends; nil when it does not before `searched`, which then stands at what is no part of a line.
  private mutating func lineEnd(_ bound: Int) -> (index: Int, hasBareLF: Bool)? {
    while searched < bound {
      let byte = held.bytes[searched]
      if byte == .lineFeed { return (searched + 1, true) }
      if byte == .carriageReturn, searched + 1 < bound, held.bytes[searched + 1] == .lineFeed {
        return (searched + 2, false)
      }
      if byte < 0x20 && byte != .horizontalTab || byte == 0x7F { return nil }
      searched += 1
    }
    return nil
  }

  /// The line does not end: its bytes do, or there is one at `searched` that no header has.
  private mutating func oddEnd(
    _ name: Range<Int>, _ bound: Int, _ isOver: Bool, _ short: Line, isFolded: Bool
  ) -> Line {
    let isOut = searched >= bound || held.bytes[searched] == .carriageReturn && searched + 1 >= bound
    if isOut, !isOver || bound == MultipartLenience.headerLimit { return short }
    if isFolded { return .data }
    var colon = name.upperBound
    while colon < searched, held.bytes[colon] != .colon { colon += 1 }
    let value = min(colon + 1, searched)..<searched
    let end = isOut ? bound : dataStart(in: value)
    return .glued(HeaderField(name: name, value: FieldList.trim(held.bytes.span, value.lowerBound..<end)), at: end)
  }

  /// Where data most likely begin that are glued to a value: behind its last quote or, without one, at its first byte
  /// outside ASCII.
  private func dataStart(in value: Range<Int>) -> Int {
    if let quote = value.last(where: { held.bytes[$0] == UInt8(ascii: "\"") }) { return quote + 1 }
    return value.first { held.bytes[$0] >= 0x80 } ?? value.upperBound
  }

  // MARK: The part

  private mutating func beginPart(
    header: Int, data: Int, _ kind: MultipartLenience.Kind?, _ tokens: inout [MultipartToken]
  ) {
    if let kind {
      // The last line before the data; where there is none, the delimiter.
      let line = (data > lineStart ? lineStart : min(previousLine, data))..<data
      var lenience = MultipartLenience(kind, part: part + 1, held.span(of: line), held.excerpt(line))
      if line.isEmpty, let lastDelimiter {
        lenience.span = lastDelimiter.span
        lenience.excerpt = lastDelimiter.excerpt
      }
      tokens.append(.lenience(lenience))
    }
    part += 1
    let block = held.block(header, fields, fieldsCut)
    let disposition = block.first("content-disposition").map { PartDisposition(block, $0) }
    if isFormData, kind != .headerMissing { judge(block, disposition, &tokens) }
    tokens.append(
      .part(PartHead(number: part, block: block, disposition: disposition, span: held.span(of: 0..<header))))
    held.dropFirst(data)
    zone = held.base
    state = .data
    searched = 0
  }

  /// What a form's part must have (RFC 7578 §4), and what its fields may not be like.
  private func judge(_ block: HeaderBlock, _ disposition: PartDisposition?, _ tokens: inout [MultipartToken]) {
    func note(_ kind: MultipartLenience.Kind, _ field: HeaderField?) {
      let range =
        field.map { $0.name.lowerBound..<max($0.name.upperBound, $0.value.upperBound) } ?? 0..<block.bytes.count
      tokens.append(.lenience(MultipartLenience(kind, part: part, held.span(of: range), held.excerpt(range))))
    }
    if let disposition, let field = block.first("content-disposition") {
      if disposition.type != "form-data" { note(.dispositionOther, field) }
      if disposition.isUnbalanced { note(.quoteUnbalanced, field) }
      if disposition.name == nil { note(.nameMissing, field) }
      if disposition.hasUnquoted { note(.parameterUnquoted, field) }
      if disposition.hasRawFileName { note(.fileNameRaw, field) }
      if disposition.hasExtendedFileName { note(.fileNameExtended, field) }
      if disposition.fileName != nil, block.first("content-type") == nil { note(.fileWithoutType, field) }
    } else {
      note(.dispositionMissing, nil)
    }
    if let coding = block.first("content-transfer-encoding") { note(.transferEncoding, coding) }
  }
}

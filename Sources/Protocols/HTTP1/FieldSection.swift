import Citation
import HTTPSemantics

/// The field lines of a head or trailer section, read in one pass, with what matters for framing.
///
/// A line that begins with a blank continues the field before it. Before the first field there is none: then the line is
/// listed as a field, but takes no part in framing (RFC 9112 §2.2).
struct FieldSection {
  var fields: [HeaderField] = []
  var fieldsCut = 0
  /// Fields that frame the body, whether listed or cut.
  var contentLengths: [HeaderField] = []
  var transferEncodings: [HeaderField] = []
  var connections: [HeaderField] = []
  var hasUpgrade = false

  /// Which list the last field went to; folded lines lengthen it there too.
  private var lastFraming: Framing?
  private enum Framing { case length, coding, connection }

  /// Reads the lines that end at `lineEnds[first...]`. A line that only holds its line end is the end of the section.
  init(
    _ held: borrowing HeldBytes, lineEnds: borrowing [UInt32], from first: Int, place: Lenience.Place,
    leniences: inout LenienceList
  ) {
    let bytes = held.bytes.span
    fields.reserveCapacity(min(max(0, lineEnds.count - first), HeaderBlock.fieldLimit))
    var start = first == 0 ? 0 : Int(lineEnds[first - 1])
    for lineIndex in first..<max(first, lineEnds.count) {
      let line = start..<Int(lineEnds[lineIndex])
      start = line.upperBound
      var end = line.upperBound - 1
      if end > line.lowerBound, bytes[end - 1] == .carriageReturn {
        end -= 1
      } else {
        leniences.note(.bareLF, in: place, held, line: line, at: end)
      }
      guard end > line.lowerBound else { continue }
      if bytes[line.lowerBound].isBlank, !fields.isEmpty {
        leniences.note(.foldedLine, in: place, held, line: line, at: line.lowerBound)
        fold(bytes, line.lowerBound..<end)
      } else {
        read(bytes, line.lowerBound..<end, line, held, place, &leniences)
      }
      checkValue(bytes, line.lowerBound..<end, line, held, place, &leniences)
    }
    if fieldsCut > 0 { leniences.note(.fieldsCut, in: place, held, line: 0..<0, at: 0) }
  }

  @inline(__always)
  private mutating func read(
    _ bytes: Span<UInt8>, _ content: Range<Int>, _ line: Range<Int>, _ held: borrowing HeldBytes,
    _ place: Lenience.Place, _ leniences: inout LenienceList
  ) {
    var nameStart = content.lowerBound
    let isStray = bytes[nameStart].isBlank
    if isStray {
      leniences.note(.spaceBeforeFirstField, in: place, held, line: line, at: nameStart)
      while nameStart < content.upperBound, bytes[nameStart].isBlank { nameStart += 1 }
    }
    var colon = nameStart
    while colon < content.upperBound, bytes[colon].isTokenCharacter { colon += 1 }
    var nameEnd = colon
    if colon == content.upperBound || bytes[colon] != .colon {
      // Not the usual case: find the colon and say what is wrong with the name.
      let odd = colon
      while colon < content.upperBound, bytes[colon] != .colon { colon += 1 }
      nameEnd = colon
      while nameEnd > nameStart, bytes[nameEnd - 1].isBlank { nameEnd -= 1 }
      if colon == content.upperBound {
        leniences.note(.colonMissing, in: place, held, line: line, at: nameStart)
      } else if nameEnd < colon {
        leniences.note(.spaceBeforeColon, in: place, held, line: line, at: nameEnd)
      }
      if odd < nameEnd { leniences.note(.nameInvalid, in: place, held, line: line, at: odd) }
    }
    if nameEnd == nameStart { leniences.note(.nameEmpty, in: place, held, line: line, at: nameStart) }
    var valueStart = min(colon + 1, content.upperBound)
    var valueEnd = content.upperBound
    while valueStart < valueEnd, bytes[valueStart].isBlank { valueStart += 1 }
    while valueEnd > valueStart, bytes[valueEnd - 1].isBlank { valueEnd -= 1 }
    let field = HeaderField(name: nameStart..<nameEnd, value: valueStart..<valueEnd)
    if fields.count < HeaderBlock.fieldLimit { fields.append(field) } else { fieldsCut &+= 1 }
    lastFraming = nil
    if !isStray { noteFraming(bytes, field) }
  }

  @inline(__always)
  private mutating func noteFraming(_ bytes: Span<UInt8>, _ field: HeaderField) {
    switch field.name.count {
    case 7 where matches(bytes, field.name, "upgrade"):
      hasUpgrade = true
    case 10 where matches(bytes, field.name, "connection"), 16 where matches(bytes, field.name, "proxy-connection"):
      connections.append(field)
      lastFraming = .connection
    case 14 where matches(bytes, field.name, "content-length"):
      contentLengths.append(field)
      lastFraming = .length
    case 17 where matches(bytes, field.name, "transfer-encoding"):
      transferEncodings.append(field)
      lastFraming = .coding
    default: break
    }
  }

  /// Lengthens the last field by a folded line.
  private mutating func fold(_ bytes: Span<UInt8>, _ content: Range<Int>) {
    var end = content.upperBound
    while end > content.lowerBound, bytes[end - 1].isBlank { end -= 1 }
    guard end > content.lowerBound else { return }
    func lengthen(_ list: inout [HeaderField]) {
      guard let last = list.indices.last else { return }
      let value = list[last].value
      let start = value.isEmpty ? FieldList.trim(bytes, content).lowerBound : value.lowerBound
      list[last].value = start..<max(start, end)
    }
    if fieldsCut == 0 { lengthen(&fields) }
    switch lastFraming {
    case .length: lengthen(&contentLengths)
    case .coding: lengthen(&transferEncodings)
    case .connection: lengthen(&connections)
    case nil: break
    }
  }

  /// Control characters and bytes outside ASCII.
  @inline(__always)
  private func checkValue(
    _ bytes: Span<UInt8>, _ content: Range<Int>, _ line: Range<Int>, _ held: borrowing HeldBytes,
    _ place: Lenience.Place, _ leniences: inout LenienceList
  ) {
    if hasOddByte(bytes, content) { nameOddities(bytes, content, line, held, place, &leniences) }
  }

  @inline(never)
  private func nameOddities(
    _ bytes: Span<UInt8>, _ content: Range<Int>, _ line: Range<Int>, _ held: borrowing HeldBytes,
    _ place: Lenience.Place, _ leniences: inout LenienceList
  ) {
    var seen: Set<Lenience.Kind> = []
    var afterColon = bytes[content.lowerBound].isBlank
    for index in content {
      let byte = bytes[index]
      if byte == .colon { afterColon = true }
      let kind: Lenience.Kind
      switch byte {
      case .carriageReturn: kind = .bareCR
      case 0 where afterColon: kind = .valueNUL
      case 0x80... where afterColon: kind = .valueNotASCII
      case 0x7F where afterColon: kind = .valueControl
      case 0..<0x20 where afterColon && byte != .horizontalTab: kind = .valueControl
      default: continue
      }
      if seen.insert(kind).inserted { leniences.note(kind, in: place, held, line: line, at: index) }
    }
  }

  /// Whether a Connection field holds a token. Its elements are tokens, so that no comma is quoted.
  func connection(_ bytes: Span<UInt8>, has token: StaticString) -> Bool {
    for field in connections {
      var start = field.value.lowerBound
      while start < field.value.upperBound {
        var end = start
        while end < field.value.upperBound, bytes[end] != UInt8(ascii: ",") { end += 1 }
        if matches(bytes, FieldList.trim(bytes, start..<end), token) { return true }
        start = end + 1
      }
    }
    return false
  }
}

/// Whether any byte is a control character or outside ASCII: eight at a time, because a loop over bytes was the largest
/// part of reading a head.
private func hasOddByte(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
  bytes.extracting(range).withUnsafeBytes { memory in
    let spaces: UInt64 = 0x2020_2020_2020_2020
    let ones: UInt64 = 0x0101_0101_0101_0101
    let high: UInt64 = 0x8080_8080_8080_8080
    var found: UInt64 = 0
    var index = 0
    while index + 8 <= memory.count {
      let word = memory.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      // The high bit of each byte tells: below 0x20, 0x7F, or 0x80 and above.
      found |= (word &- spaces) | word | ((word & ~high) &+ ones)
      index += 8
    }
    var odd = found & high != 0
    while index < memory.count {
      odd = odd || memory[index] &- 0x20 >= 0x5F
      index += 1
    }
    return odd
  }
}

import Citation
import HTTPSemantics

// The search for delimiters in data, preamble and epilogue.
extension MultipartParser {
  /// A boundary shorter than this may well stand in a line, or on one, by chance.
  private static let tellingLength = 8
  private static let tellingLineLength = 6
  /// Blanks between a delimiter and its line end.
  private static let paddingLimit = 64

  private struct Delimiter {
    var isClose: Bool
    /// From the line end before it to the line end behind it.
    var range: Range<Int>
    /// Without them.
    var line: Range<Int>
    var hasDashes: Bool
    var isLineStart: Bool
    var hasBareLF: Bool
    /// The body ends where its line should.
    var isCut: Bool
  }

  private enum Verdict {
    case none, undecided
    case delimiter(Delimiter)
  }

  /// Looks for the next delimiter; answers whether there was one.
  mutating func search(isOver: Bool, into tokens: inout [MultipartToken]) -> Bool {
    while let place = held.place(of: boundary, from: searched) {
      switch judge(place, isOver: isOver) {
      case .none: searched = place + 1
      case .undecided:
        searched = place
        release(upTo: place)
        return false
      case .delimiter(let delimiter):
        take(delimiter, into: &tokens)
        return true
      }
    }
    searched = max(searched, held.count - boundary.count + 1)
    release(upTo: searched)
    return false
  }

  /// Gives away what stands before the line end before a delimiter whose boundary begins at or behind an index.
  private mutating func release(upTo index: Int) {
    pass(index - 6)
  }

  private func judge(_ found: Int, isOver: Bool) -> Verdict {
    var place = found
    var hasDashes =
      place >= 2 && held.bytes[place - 1] == UInt8(ascii: "-") && held.bytes[place - 2] == UInt8(ascii: "-")
    // A boundary that begins with dashes is found two bytes early in its own delimiter.
    if boundary[0] == UInt8(ascii: "-"), !hasDashes {
      switch held.has(dashed, at: place) {
      case true?:
        place += 2
        hasDashes = true
      case nil where !isOver: return .undecided
      default: break
      }
    }
    let start = hasDashes ? place - 2 : place
    let isZoneStart = state != .epilogue && held.place(start) == zone
    let isLineStart = isZoneStart || start > 0 && held.bytes[start - 1] == .lineFeed
    guard hasDashes || isLineStart else { return .none }
    var delimiter = Delimiter(
      isClose: false, range: start..<start, line: start..<place + boundary.count, hasDashes: hasDashes,
      isLineStart: isLineStart, hasBareLF: false, isCut: false)
    if isLineStart, !isZoneStart {
      let hasReturn = start > 1 && held.bytes[start - 2] == .carriageReturn
      delimiter.hasBareLF = !hasReturn
      delimiter.range = start - (hasReturn ? 2 : 1)..<start
    }
    return end(of: delimiter, isOver: isOver)
  }

  /// Reads what stands behind the boundary.
  private func end(of begun: Delimiter, isOver: Bool) -> Verdict {
    var delimiter = begun
    let isPlain = delimiter.hasDashes && delimiter.isLineStart
    var index = delimiter.line.upperBound
    let dash = UInt8(ascii: "-")
    if index < held.count, held.bytes[index] == dash {
      guard index + 1 < held.count else { return isOver ? .none : .undecided }
      guard held.bytes[index + 1] == dash else { return .none }
      index += 2
      delimiter.isClose = true
      delimiter.line = delimiter.line.lowerBound..<index
      if isPlain { return accept(delimiter, upTo: index) }
    }
    let padding = index
    while index < held.count, held.bytes[index].isBlank, index - padding < Self.paddingLimit { index += 1 }
    guard index < held.count else {
      delimiter.isCut = true
      return isOver ? accept(delimiter, upTo: index) : .undecided
    }
    if held.bytes[index] == .carriageReturn {
      guard index + 1 < held.count else {
        delimiter.isCut = true
        return isOver ? accept(delimiter, upTo: index + 1) : .undecided
      }
      index += 1
    } else {
      delimiter.hasBareLF = true
    }
    guard held.bytes[index] == .lineFeed else { return .none }
    if delimiter.isClose {
      delimiter.hasBareLF = begun.hasBareLF
      return accept(delimiter, upTo: delimiter.line.upperBound)
    }
    return accept(delimiter, upTo: index + 1)
  }

  private func accept(_ delimiter: Delimiter, upTo end: Int) -> Verdict {
    if state == .epilogue, !delimiter.hasDashes || !delimiter.isLineStart { return .none }
    if !delimiter.isLineStart, boundary.count < Self.tellingLength { return .none }
    if !delimiter.hasDashes, boundary.count < Self.tellingLineLength { return .none }
    var delimiter = delimiter
    delimiter.range = delimiter.range.lowerBound..<max(end, delimiter.range.lowerBound)
    if !delimiter.isLineStart { delimiter.range = delimiter.line.lowerBound..<delimiter.range.upperBound }
    return .delimiter(delimiter)
  }

  private mutating func take(_ delimiter: Delimiter, into tokens: inout [MultipartToken]) {
    let span = held.span(of: delimiter.line)
    // With its line ends, and nothing of the data.
    let excerpt = held.excerpt(delimiter.range)
    func lenience(_ kind: MultipartLenience.Kind) -> MultipartLenience {
      MultipartLenience(kind, part: part, span, excerpt)
    }
    if state == .epilogue {
      tokens.append(.lenience(lenience(.delimiterAfterClose)))
      pass(delimiter.line.upperBound)
      searched = 0
      return
    }
    if delimiter.hasBareLF { tokens.append(.lenience(lenience(.bareLF))) }
    if !delimiter.hasDashes { tokens.append(.lenience(lenience(.dashesMissing))) }
    if !delimiter.isLineStart { tokens.append(.lenience(lenience(.delimiterInLine))) }
    let length = delimiter.range.count
    if state == .data {
      endPart(at: delimiter.range.lowerBound, isDelimited: true, into: &tokens)
    } else {
      pass(delimiter.range.lowerBound)
      if aside.bytes > 0 { tokens.append(.preamble(aside)) }
      aside = MultipartAside()
    }
    held.dropFirst(min(length, held.count))
    searched = 0
    zone = held.base
    if delimiter.isClose {
      tokens.append(.close(span))
      state = .epilogue
    } else {
      tokens.append(.delimiter(span))
      lastDelimiter = lenience(.closeDashesMissing)
      isDelimiterCut = delimiter.isCut
      state = .header
      previousLine = 0
      lineStart = 0
      fields.removeAll(keepingCapacity: true)
      fieldsCut = 0
    }
  }
}

import HTTPSemantics

/// A chunk's size line, read byte by byte, so that a cut anywhere changes nothing.
///
/// `1*HEXDIG [ chunk-ext ] CRLF`, and what is forgiven: blanks around the size, `0x`, `+`, leading zeros, a bare LF, a
/// bare CR right after the size, one more in front of CRLF, anything at all in an extension.
struct ChunkSizeReader: Sendable {
  /// Bytes of one line, after which it is given up.
  static let limit = 16 * 1024

  enum Step {
    case more, done
    /// The line ended before this byte: at a bare CR.
    case doneBefore
    case failed(FramingError.Kind)
  }

  private enum State: UInt8 {
    case start, sign, digits, prefix, blanks, carriageReturn, secondCarriageReturn
    case extensionName, extensionNameRest, extensionValue, extensionValueRest, quoted, escaped, afterQuoted
    case extensionCarriageReturn
  }

  private var state = State.start
  private var digits = 0
  private var overflows = false
  private(set) var size: UInt64 = 0
  private(set) var notes = ChunkSizeLine.Notes.plain
  /// Bytes taken.
  private(set) var length = 0
  /// Where the extension's semicolon stands.
  private(set) var extensionStart: Int?

  mutating func take(_ byte: UInt8) -> Step {
    length += 1
    if length > ChunkSizeReader.limit { return .failed(.chunkLineTooLong) }
    switch state {
    case .start:
      if byte.isBlank {
        notes.insert(.leadingSpace)
        return .more
      }
      if byte == UInt8(ascii: "+") {
        notes.insert(.sign)
        state = .sign
        return .more
      }
      if byte == .lineFeed { return .failed(.chunkSizeEmpty) }
      // An empty line is distinguished from rubbish by its LF.
      if byte == .carriageReturn, length == 1 {
        state = .carriageReturn
        return .more
      }
      return digit(byte)
    case .sign:
      return digit(byte)
    case .digits:
      if byte.hexadecimalValue < 16 { return digit(byte) }
      if byte | 0x20 == UInt8(ascii: "x"), digits == 1, size == 0, !notes.contains(.prefix) {
        notes.insert(.prefix)
        state = .prefix
        return .more
      }
      return afterSize(byte)
    case .prefix:
      digits = 0
      notes.remove(.leadingZeros)
      return digit(byte)
    case .blanks:
      return afterSize(byte)
    case .carriageReturn:
      if digits == 0 { return .failed(byte == .lineFeed ? .chunkSizeEmpty : .chunkSizeMalformed) }
      if byte == .lineFeed { return finished(.done) }
      notes.insert(.bareCR)
      if byte == .carriageReturn {
        state = .secondCarriageReturn
        return .more
      }
      length -= 1
      return finished(.doneBefore)
    case .secondCarriageReturn:
      if byte == .lineFeed { return finished(.done) }
      length -= 1
      return finished(.doneBefore)
    default:
      return takeExtension(byte)
    }
  }

  private mutating func digit(_ byte: UInt8) -> Step {
    let value = byte.hexadecimalValue
    guard value < 16 else { return .failed(.chunkSizeMalformed) }
    if size >> 60 != 0 { overflows = true }
    if digits == 1, size == 0 { notes.insert(.leadingZeros) }
    if value > 9, byte & 0x20 == 0 { notes.insert(.uppercase) }
    size = size << 4 | UInt64(value)
    digits += 1
    state = .digits
    return .more
  }

  private mutating func afterSize(_ byte: UInt8) -> Step {
    switch byte {
    case .space, .horizontalTab:
      state = .blanks
      notes.insert(.trailingSpace)
      return .more
    case .carriageReturn:
      state = .carriageReturn
      return .more
    case .lineFeed:
      notes.insert(.bareLF)
      return finished(.done)
    case UInt8(ascii: ";"):
      // Blanks before a semicolon are part of the grammar.
      notes.remove(.trailingSpace)
      notes.insert(.hasExtension)
      extensionStart = length - 1
      state = .extensionName
      return .more
    default:
      return .failed(.chunkSizeMalformed)
    }
  }

  private mutating func finished(_ step: Step) -> Step {
    if overflows { return .failed(.chunkSizeOverflow) }
    if size > UInt64(Int64.max) { notes.insert(.huge) }
    return step
  }

  private mutating func takeExtension(_ byte: UInt8) -> Step {
    if byte == .lineFeed {
      let isWhole = state == .extensionCarriageReturn
      if !isWhole {
        notes.insert(.bareLF)
        noteUnfinished()
      }
      return finished(.done)
    }
    if byte == .carriageReturn {
      noteUnfinished()
      state = .extensionCarriageReturn
      return .more
    }
    if state == .extensionCarriageReturn {
      // A bare CR inside an extension ends nothing; the rest is read as one odd name.
      notes.formUnion([.bareCR, .extensionMalformed])
      state = .extensionNameRest
      return .more
    }
    switch state {
    case .extensionName where byte.isTokenCharacter: state = .extensionNameRest
    case .extensionNameRest where byte == UInt8(ascii: "="): state = .extensionValue
    case .extensionNameRest where byte == UInt8(ascii: ";"), .extensionValueRest where byte == UInt8(ascii: ";"),
      .afterQuoted where byte == UInt8(ascii: ";"):
      state = .extensionName
    case .extensionValue where byte == UInt8(ascii: "\""): state = .quoted
    case .extensionValue where byte.isTokenCharacter: state = .extensionValueRest
    case .quoted where byte == UInt8(ascii: "\""): state = .afterQuoted
    case .quoted where byte == UInt8(ascii: "\\"): state = .escaped
    case .escaped: state = .quoted
    case .quoted: break
    case .extensionNameRest where byte.isTokenCharacter, .extensionValueRest where byte.isTokenCharacter: break
    case _ where byte.isBlank: break
    default: notes.insert(.extensionMalformed)
    }
    return .more
  }

  private mutating func noteUnfinished() {
    switch state {
    case .extensionName, .extensionValue, .quoted, .escaped: notes.insert(.extensionMalformed)
    default: break
    }
  }
}

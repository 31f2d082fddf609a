import Citation

/// Events or lines of JSON in bytes from the middle of a body: which of the two, and where the first whole one begins.
///
/// Every line must be one of its kind, but for the first, which may be the rest of one. So text that quotes an event, or
/// a document that holds a line of JSON, is neither.
enum OpenItems {
  enum Answer {
    case items(ItemType, from: Int)
    case undecided, none
  }

  /// Without chunks around them, so many items in a row are no accident.
  private static let enough = 2

  /// `isFramed` where the bytes are known to be the data of chunks: then one item will do.
  static func look(at bytes: Span<UInt8>, isFramed: Bool) -> Answer {
    let events = events(in: bytes, isFramed: isFramed)
    if case .items = events { return events }
    let lines = objects(in: bytes, isFramed: isFramed)
    if case .items = lines { return lines }
    if case .none = events, case .none = lines { return .none }
    return .undecided
  }

  // MARK: Events

  private enum EventLine { case data, field, comment, none }

  private static func events(in bytes: Span<UInt8>, isFramed: Bool) -> Answer {
    // Where the first whole event begins: behind the first empty line, unless the first line is one of an event.
    var from: Int? = 0
    var start = 0
    var items = 0
    var hasContent = false
    while let end = lineFeed(in: bytes, from: start) {
      let line = bytes.extracting(start..<end)
      if isEmpty(line) {
        if from == nil {
          from = end + 1
        } else if hasContent {
          items += 1
        } else if start > 0, line.count == 1, bytes[start - 1] == .lineFeed, !endsInCRLF(bytes, start) {
          // The line end of a chunk, behind events that end their lines otherwise: its size line must follow.
          return .none
        }
        hasContent = false
      } else {
        switch kind(of: line) {
        case .data, .comment: hasContent = true
        case .field: break
        case .none:
          guard start == 0, isText(line) else { return .none }
          from = nil
        }
      }
      start = end + 1
    }
    let rest = bytes.extracting(start..<bytes.count)
    guard let from else { return isText(rest) ? .undecided : .none }
    guard rest.isEmpty || start == 0 && isText(rest) || mayBegin(rest) else { return .none }
    if items >= (isFramed ? 1 : enough) || isFramed && (hasContent || kind(of: rest) == .data) {
      return .items(.events, from: from)
    }
    return .undecided
  }

  private static let names = ["data", "event", "id", "retry"].map { Array($0.utf8) }

  private static func kind(of line: Span<UInt8>) -> EventLine {
    guard !line.isEmpty, isText(line) else { return .none }
    if line[0] == UInt8(ascii: ":") { return .comment }
    for (index, name) in names.enumerated() where begins(line, with: name) {
      let isField =
        line.count == name.count || line[name.count] == UInt8(ascii: ":")
        || line[name.count] == .carriageReturn && line.count == name.count + 1
      if isField { return index == 0 ? .data : .field }
    }
    return .none
  }

  /// Whether a line without its end may become one of an event.
  private static func mayBegin(_ line: Span<UInt8>) -> Bool {
    kind(of: line) != .none || line.count == 1 && line[0] == .carriageReturn
      || names.contains { line.count < $0.count && begins($0.span.extracting(0..<line.count), with: line) }
  }

  private static func endsInCRLF(_ bytes: Span<UInt8>, _ end: Int) -> Bool {
    end >= 2 && bytes[end - 2] == .carriageReturn
  }

  // MARK: Lines of JSON

  private static func objects(in bytes: Span<UInt8>, isFramed: Bool) -> Answer {
    var from: Int?
    var start = 0
    var items = 0
    while let end = lineFeed(in: bytes, from: start) {
      let line = bytes.extracting(start..<end)
      if isObject(line) {
        items += 1
        if from == nil { from = start }
      } else if !isBlank(line) {
        // The rest of an object.
        guard start == 0, isText(line), last(of: line) == UInt8(ascii: "}") else { return .none }
      }
      start = end + 1
    }
    let rest = bytes.extracting(start..<bytes.count)
    guard isText(rest), start == 0 || isBlank(rest) || first(of: rest) == UInt8(ascii: "{") else { return .none }
    guard let from, items >= (isFramed ? 1 : enough) else { return .undecided }
    return .items(.lines, from: from)
  }

  /// One object and nothing else. What its members are is not looked at.
  private static func isObject(_ line: Span<UInt8>) -> Bool {
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    var isOver = false
    for index in line.indices {
      let byte = line[index]
      if byte < 0x20, !byte.isBlank, byte != .carriageReturn { return false }
      if isQuoted {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        }
        continue
      }
      if byte.isBlank || byte == .carriageReturn { continue }
      if isOver { return false }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { isOver = byte == UInt8(ascii: "}") }
      case UInt8(ascii: "\""): isQuoted = true
      default: break
      }
      // Outside of an object there is nothing.
      if depth <= 0, !isOver { return false }
    }
    return isOver
  }

  // MARK: Lines

  private static func lineFeed(in bytes: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index < bytes.count {
      if bytes[index] == .lineFeed { return index }
      index += 1
    }
    return nil
  }

  private static func isEmpty(_ line: Span<UInt8>) -> Bool {
    line.isEmpty || line.count == 1 && line[0] == .carriageReturn
  }

  private static func isBlank(_ line: Span<UInt8>) -> Bool { first(of: line) == nil }

  private static func first(of line: Span<UInt8>) -> UInt8? {
    for index in line.indices where !line[index].isBlank && line[index] != .carriageReturn { return line[index] }
    return nil
  }

  private static func last(of line: Span<UInt8>) -> UInt8? {
    var last: UInt8?
    for index in line.indices where !line[index].isBlank && line[index] != .carriageReturn { last = line[index] }
    return last
  }

  /// No control characters, as binary data has them.
  private static func isText(_ line: Span<UInt8>) -> Bool {
    for index in line.indices where line[index] < 0x20 {
      guard line[index].isBlank || line[index] == .carriageReturn else { return false }
    }
    return true
  }

  private static func begins(_ bytes: Span<UInt8>, with name: [UInt8]) -> Bool {
    begins(bytes, with: name.span)
  }

  private static func begins(_ bytes: Span<UInt8>, with beginning: Span<UInt8>) -> Bool {
    guard bytes.count >= beginning.count else { return false }
    for index in beginning.indices where bytes[index] != beginning[index] { return false }
    return true
  }
}

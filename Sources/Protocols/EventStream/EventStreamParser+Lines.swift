import Citation

// Lines become fields, and fields an event (HTML §9.2.6).
extension EventStreamParser {
  /// `line` is the beginning of it: all that is looked at.
  mutating func endLine(
    _ line: Span<UInt8>, _ offset: UInt64, _ packet: PacketRef, into tokens: inout [EventStreamToken]
  ) {
    defer { lineLength = 0 }
    if lineLength == 0 { return endEvent(offset, packet, into: &tokens) }
    if isLost { return }
    if line[0] == 0x3A { return tokens.append(.comment(packet)) }
    if !isOpen { open() }
    last = lineLast
    if Self.isField("data", line) {
      countData(line)
    } else if Self.isField("event", line) {
      hasFields = true
      let value = Self.value(of: line, after: 5)
      name = Self.bytes(line, value.prefix(Self.nameLimit))
    } else if Self.isField("id", line) {
      hasFields = true
      takeID(line, into: &tokens)
    } else if Self.isField("retry", line) {
      takeRetry(line, into: &tokens)
    } else {
      tell(unknownKind(line), line, lineStart..<lineStart &+ lineLength, lineFirst, into: &tokens)
    }
  }

  mutating func open() {
    isOpen = true
    start = lineStart
    first = lineFirst
  }

  mutating func countData(_ line: Span<UInt8>) {
    hasFields = true
    let value = Self.value(of: line, after: 4)
    let length = lineLength &- UInt64(value.lowerBound)
    if data.count < dataLimit {
      if dataLines > 0 { data.append(0x0A) }
      data += Self.bytes(line, value.prefix(dataLimit - data.count))
    }
    // A line feed joins it to the one before.
    dataLength = dataLength &+ length &+ (dataLines > 0 ? 1 : 0)
    dataLines &+= 1
  }

  private mutating func endEvent(_ offset: UInt64, _ packet: PacketRef, into tokens: inout [EventStreamToken]) {
    isLost = false
    guard isOpen else { return }
    if hasFields {
      if hasNewID { swap(&lastID, &id) }
      hasNewID = false
      tokens.append(.event(event(completed: packet, upTo: offset &+ 1)))
    }
    closeEvent()
  }

  func event(completed packet: PacketRef, upTo end: UInt64) -> ServerSentEvent {
    ServerSentEvent(
      range: start..<max(start, end), first: first, last: last, completed: packet, dataLength: dataLength,
      dataLines: dataLines, name: name, data: data)
  }

  mutating func closeEvent() {
    isOpen = false
    hasFields = false
    dataLength = 0
    dataLines = 0
    if !name.isEmpty { name = [] }
    if !data.isEmpty { data = [] }
  }

  // MARK: Fields

  /// Of a line whose field has a name of so many bytes; without the one space that may follow the colon.
  private static func value(of line: Span<UInt8>, after name: Int) -> Range<Int> {
    guard name < line.count else { return line.count..<line.count }
    let from = name + 1
    return (from < line.count && line[from] == 0x20 ? from + 1 : from)..<line.count
  }

  @inline(__always)
  static func isField(_ name: StaticString, _ line: Span<UInt8>) -> Bool {
    let length = name.utf8CodeUnitCount
    guard line.count >= length, line[0] == name.utf8Start[0], line.count == length || line[length] == 0x3A else {
      return false
    }
    for index in 1..<length where line[index] != name.utf8Start[index] { return false }
    return true
  }

  private static func bytes(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    line.extracting(range).withUnsafeBufferPointer { Array($0) }
  }

  private mutating func takeID(_ line: Span<UInt8>, into tokens: inout [EventStreamToken]) {
    let value = Self.value(of: line, after: 2)
    for index in value where line[index] == 0 {
      return tell(.idNUL, line, lineStart..<lineStart &+ lineLength, lineFirst, into: &tokens)
    }
    let kept = value.prefix(Self.idLimit)
    if id.count == kept.count {
      // As most are as long as the one before them but one.
      for index in 0..<kept.count { id[index] = line[kept.lowerBound + index] }
    } else {
      id = Self.bytes(line, kept)
    }
    hasNewID = true
  }

  private mutating func takeRetry(_ line: Span<UInt8>, into tokens: inout [EventStreamToken]) {
    let digits = Self.bytes(line, Self.value(of: line, after: 5))
    guard !digits.isEmpty, lineLength <= lineLimit, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
      return tell(.retryInvalid, line, lineStart..<lineStart &+ lineLength, lineFirst, into: &tokens)
    }
    var milliseconds: UInt64 = 0
    for digit in digits {
      let (tenfold, isTooMuch) = milliseconds.multipliedReportingOverflow(by: 10)
      let (sum, isMore) = tenfold.addingReportingOverflow(UInt64(digit &- 0x30))
      milliseconds = isTooMuch || isMore ? .max : sum
      if milliseconds == .max { break }
    }
    tokens.append(.retry(milliseconds, lineFirst))
  }

  // MARK: What is none

  private func unknownKind(_ line: Span<UInt8>) -> EventStreamLenience.Kind {
    if line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF { return .byteOrderMark }
    return dataLines > 0 && !isMisspelled(line) ? .strayLine : .unknownField
  }

  /// One of the names in other letters or with blanks: meant as a field, wherever it stands.
  private func isMisspelled(_ line: Span<UInt8>) -> Bool {
    let spelled = Self.bytes(line, 0..<line.count).prefix { $0 != 0x3A }
    guard spelled.count <= 8 else { return false }
    let letters = spelled.filter { $0 != 0x20 && $0 != 0x09 }.map { $0 | 0x20 }
    return ["data", "event", "id", "retry"].contains { letters.elementsEqual($0.utf8) }
  }

  /// `line` is quoted with the first of each kind.
  mutating func tell(
    _ kind: EventStreamLenience.Kind, _ line: Span<UInt8>, _ range: Range<UInt64>, _ packet: PacketRef,
    into tokens: inout [EventStreamToken]
  ) {
    let bit = UInt8(1) << kind.rawValue
    let isFirst = seen & bit == 0
    seen |= bit
    let quoted = line.extracting(0..<(isFirst ? min(line.count, Self.excerptLength) : 0))
    tokens.append(.lenience(EventStreamLenience(kind, range, in: packet, Excerpt(quoted, isPayload: true))))
  }
}

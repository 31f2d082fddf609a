import Citation

// Lines become fields, and fields an event (HTML §9.2.6).
extension EventStreamParser {
  mutating func endLine(_ offset: UInt64, _ packet: PacketRef, into tokens: inout [EventStreamToken]) {
    defer { closeLine() }
    if lineLength == 0 { return endEvent(offset, packet, into: &tokens) }
    if isLost { return }
    if line[0] == 0x3A { return tokens.append(.comment(packet)) }
    if !isOpen { open() }
    last = lineLast
    if nameEquals("data") {
      countData()
    } else if nameEquals("event") {
      hasFields = true
      name = Array(line[value(after: 5).prefix(Self.nameLimit)])
    } else if nameEquals("id") {
      hasFields = true
      takeID(packet, into: &tokens)
    } else if nameEquals("retry") {
      takeRetry(packet, into: &tokens)
    } else {
      tell(unknownKind, lineStart..<lineStart &+ lineLength, lineFirst, into: &tokens)
    }
  }

  mutating func open() {
    isOpen = true
    start = lineStart
    first = lineFirst
  }

  mutating func countData() {
    hasFields = true
    let value = value(after: 4)
    let length = lineLength &- UInt64(value.lowerBound)
    if data.count < dataLimit {
      if dataLines > 0 { data.append(0x0A) }
      data.append(contentsOf: line[value].prefix(dataLimit - data.count))
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
    var event = ServerSentEvent(
      range: start..<max(start, end), first: first, last: last, completed: packet, dataLength: dataLength,
      dataLines: dataLines, name: name)
    event.data = data
    return event
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

  /// Of `line`, whose field has a name of so many bytes; without the one space that may follow the colon.
  private func value(after name: Int) -> Range<Int> {
    guard name < line.count else { return line.count..<line.count }
    let from = name + 1
    return (from < line.count && line[from] == 0x20 ? from + 1 : from)..<line.count
  }

  func nameEquals(_ name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    guard line.count >= length, line.count == length || line[length] == 0x3A else { return false }
    return name.withUTF8Buffer { text in
      for index in 0..<length where line[index] != text[index] { return false }
      return true
    }
  }

  private mutating func takeID(_ packet: PacketRef, into tokens: inout [EventStreamToken]) {
    let value = value(after: 2)
    if value.contains(where: { line[$0] == 0 }) {
      return tell(.idNUL, lineStart..<lineStart &+ lineLength, lineFirst, into: &tokens)
    }
    id.removeAll(keepingCapacity: true)
    id.append(contentsOf: line[value.prefix(Self.idLimit)])
    hasNewID = true
  }

  private mutating func takeRetry(_ packet: PacketRef, into tokens: inout [EventStreamToken]) {
    let digits = line[value(after: 5)]
    guard !digits.isEmpty, lineLength <= lineLimit, digits.allSatisfy({ $0 &- 0x30 < 10 }) else {
      return tell(.retryInvalid, lineStart..<lineStart &+ lineLength, lineFirst, into: &tokens)
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

  private var unknownKind: EventStreamLenience.Kind {
    if line.count >= 3, line[0] == 0xEF, line[1] == 0xBB, line[2] == 0xBF { return .byteOrderMark }
    return dataLines > 0 && !isMisspelled ? .strayLine : .unknownField
  }

  /// One of the names in other letters or with blanks: meant as a field, wherever it stands.
  private var isMisspelled: Bool {
    let spelled = line.prefix { $0 != 0x3A }
    guard spelled.count <= 8 else { return false }
    let letters = spelled.filter { $0 != 0x20 && $0 != 0x09 }.map { $0 | 0x20 }
    return ["data", "event", "id", "retry"].contains { letters.elementsEqual($0.utf8) }
  }

  mutating func tell(
    _ kind: EventStreamLenience.Kind, _ range: Range<UInt64>, _ packet: PacketRef, into tokens: inout [EventStreamToken]
  ) {
    let bit = UInt8(1) << kind.rawValue
    let isFirst = seen & bit == 0
    seen |= bit
    let quoted = isFirst ? Array(line.prefix(Self.excerptLength)) : []
    tokens.append(.lenience(EventStreamLenience(kind, range, in: packet, Excerpt(quoted.span, isPayload: true))))
  }
}

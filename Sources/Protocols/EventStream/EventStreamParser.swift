import Citation

/// Reads an event stream as HTML §9.2.6 has receivers read it, and says what they ignore.
///
/// Lines end with CR, LF or CRLF; a CR ends its line at once, and a line feed right behind it is skipped, so that no
/// token waits for a byte that may never come. One byte order mark at the very beginning is skipped. Of a line only its
/// beginning is kept: everything that is looked at stands there, and data is only counted.
///
/// Invariant: between two calls `line` holds the first `min(lineLength, lineLimit)` bytes of the current line. A line
/// that is whole in a chunk is read there.
package struct EventStreamParser: IncrementalParser, Sendable {
  /// Bytes of an id that are kept.
  package static let idLimit = 256
  /// Bytes of an event's name that are kept.
  package static let nameLimit = 64
  /// Bytes of a line that are looked at: a field's name, colon and space, and the longest value that is kept.
  let lineLimit: Int
  /// Bytes of an event's data that are kept.
  let dataLimit: Int
  /// Bytes of a line that are quoted.
  static let excerptLength = 32
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The id that a receiver would send in Last-Event-ID, at most `idLimit` bytes of it.
  package internal(set) var lastID: [UInt8] = []

  // The line at hand.
  var line: [UInt8] = []
  var lineLength: UInt64 = 0
  var lineStart: UInt64 = 0
  var lineFirst = PacketRef.none
  var lineLast = PacketRef.none
  private var endedByReturn = false
  /// Bytes of a byte order mark at the beginning of the stream; nil once it is decided.
  private var marked: Int? = 0
  private var utf8 = UTF8Stream()

  // The event at hand.
  var isOpen = false
  var start: UInt64 = 0
  var first = PacketRef.none
  var last = PacketRef.none
  var dataLength: UInt64 = 0
  var dataLines: UInt64 = 0
  var hasFields = false
  var name: [UInt8] = []
  /// The first `dataLimit` bytes, lines joined by line feeds.
  var data: [UInt8] = []
  /// Where `hasNewID`, the id that the end of the event makes the last one.
  var id: [UInt8] = []
  var hasNewID = false

  var seen: UInt8 = 0
  /// After a hole: what comes before the next empty line cannot be judged.
  var isLost = false
  private var end: UInt64 = 0
  private var lastPacket = PacketRef.none

  package init(keepingData limit: Int = 0) {
    dataLimit = limit
    lineLimit = max(320, limit + 8)
  }

  /// Between two events, and between two lines.
  @inline(__always)
  package var isAtEdge: Bool { !isOpen && lineLength == 0 }

  package mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [EventStreamToken]) {
    let bytes = chunk.bytes
    let packet = chunk.released
    guard bytes.count > 0 else { return }
    var index = 0
    while index < bytes.count {
      if canRun {
        let begin = index
        index = endOfPlain(in: bytes, from: index)
        if lineLength == 0, index < bytes.count, bytes[index] < 0x80 {
          endedByReturn = bytes[index] == 0x0D
          if index > begin { beginLine(of: index - begin, chunk.offset &+ UInt64(truncatingIfNeeded: begin), packet) }
          let text = bytes.extracting(begin..<min(index, begin + lineLimit))
          endLine(text, chunk.offset &+ UInt64(truncatingIfNeeded: index), packet, into: &tokens)
          index += 1
          continue
        }
        if index > begin { add(bytes, begin..<index, at: chunk.offset, packet) }
        if index == bytes.count { break }
      }
      let byte = bytes[index]
      defer { index += 1 }
      let offset = chunk.offset &+ UInt64(truncatingIfNeeded: index)
      if byte == 0x0A, endedByReturn {
        endedByReturn = false
        continue
      }
      endedByReturn = false
      if marked != nil, begins(with: byte, offset, packet) { continue }
      if byte == 0x0A || byte == 0x0D {
        endedByReturn = byte == 0x0D
        if utf8.isOpen {
          tellInvalid(offset, packet, &tokens)
          utf8.reset()
        }
        endHeldLine(offset, packet, into: &tokens)
      } else {
        if byte >= 0x80 || utf8.isOpen, !utf8.take(byte) { tellInvalid(offset, packet, &tokens) }
        add(byte, offset, packet)
      }
    }
    end = chunk.offset &+ UInt64(truncatingIfNeeded: bytes.count)
    lastPacket = packet
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [EventStreamToken]) {
    closeEvent()
    closeLine()
    utf8.reset()
    marked = nil
    endedByReturn = false
    isLost = true
    end = range.upperBound
  }

  package mutating func finish(_ reason: DirectionEnd, into tokens: inout [EventStreamToken]) {
    guard !isLost else { return }
    let isMidLine = lineLength > 0
    // A line without its end counts for what it would have been: receivers discard it with the event.
    if isMidLine {
      let isField = line.first != 0x3A
      if isField, !isOpen { open() }
      if isField {
        last = lineLast
        let text = line
        if Self.isField("data", text.span) { countData(text.span) }
      }
    }
    if isOpen, dataLines > 0 || lineLength > 0 {
      tokens.append(.unfinished(event(completed: lastPacket, upTo: end), midLine: isMidLine))
    }
    closeEvent()
    closeLine()
  }

  // MARK: Bytes

  /// Nothing is being waited for but the end of the line.
  @inline(__always)
  private var canRun: Bool { !endedByReturn && marked == nil && !utf8.isOpen }

  /// A line that is whole in a chunk.
  @inline(__always)
  private mutating func beginLine(of length: Int, _ offset: UInt64, _ packet: PacketRef) {
    lineStart = offset
    lineFirst = packet
    lineLast = packet
    lineLength = UInt64(truncatingIfNeeded: length)
  }

  /// The line in `line` is over: out of its place, because what is told of it changes the rest.
  private mutating func endHeldLine(_ offset: UInt64, _ packet: PacketRef, into tokens: inout [EventStreamToken]) {
    var text: [UInt8] = []
    swap(&text, &line)
    endLine(text.span, offset, packet, into: &tokens)
    text.removeAll(keepingCapacity: true)
    line = text
  }

  /// Takes a run of plain bytes: most of a stream.
  private mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>, at offset: UInt64, _ packet: PacketRef) {
    if lineLength == 0 {
      lineStart = offset &+ UInt64(truncatingIfNeeded: range.lowerBound)
      lineFirst = packet
    }
    let kept = range.prefix(lineLimit - line.count)
    bytes.extracting(kept).withUnsafeBufferPointer { line.append(contentsOf: $0) }
    lineLength &+= UInt64(truncatingIfNeeded: range.count)
    lineLast = packet
  }

  /// Whether the byte belongs to the byte order mark that may begin the stream.
  private mutating func begins(with byte: UInt8, _ offset: UInt64, _ packet: PacketRef) -> Bool {
    guard let count = marked else { return false }
    if byte == Self.mark[count] {
      marked = count + 1 < Self.mark.count ? count + 1 : nil
      return true
    }
    marked = nil
    // It began like one, and is none: what was skipped is the beginning of the line.
    for index in 0..<count {
      _ = utf8.take(Self.mark[index])
      add(Self.mark[index], offset &- UInt64(count - index), packet)
    }
    return false
  }

  @inline(__always)
  private mutating func add(_ byte: UInt8, _ offset: UInt64, _ packet: PacketRef) {
    if lineLength == 0 {
      lineStart = offset
      lineFirst = packet
    }
    if line.count < lineLimit { line.append(byte) }
    lineLength &+= 1
    lineLast = packet
  }

  private mutating func tellInvalid(_ offset: UInt64, _ packet: PacketRef, _ tokens: inout [EventStreamToken]) {
    guard !isLost else { return }
    let text = line
    tell(.invalidUTF8, text.span, offset..<offset &+ 1, packet, into: &tokens)
  }

  mutating func closeLine() {
    line.removeAll(keepingCapacity: true)
    lineLength = 0
  }
}

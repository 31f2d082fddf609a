import Citation
import LLMSemantics

/// Finds the items of an answer in the content of a streamed body, and says whose dialect they are.
///
/// Items are the events of an event stream, of which only the data is looked at, or lines of JSON. The first item that
/// is one of an answer decides the dialect; where the first `trialLimit` items are none, it is no answer.
///
/// Invariant: `opening` holds the first bytes of the item's data, no more than the longest marker that is no JSON.
package struct AnswerReader: IncrementalParser, Sendable {
  /// How the body is divided into items.
  package enum Form: Sendable { case events, lines }

  private enum Line {
    /// So many bytes of `data` were there.
    case field(Int)
    /// Behind the colon, where one blank is no part of the value.
    case colon
    case data
    case other
  }

  private static let trialLimit = 8
  private static let name: [UInt8] = Array("data".utf8)
  private static let done: [UInt8] = Array("[DONE]".utf8)
  /// U+FEFF, which the first line may begin with, and which is no part of it.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  package private(set) var dialect: AnswerDialect?
  /// It is known not to be an answer.
  package private(set) var isOver = false
  private let form: Form
  private var trials = 0
  private var json = JSONSkim()
  private var opening: [UInt8] = []
  /// So many bytes of the mark were there; nil behind the beginning.
  private var marked: Int? = 0
  private var line = Line.field(0)
  private var isLineEmpty = true
  private var endedByReturn = false
  private var isLost = false
  private var hasData = false
  private var lastPacket = PacketRef.none

  package init(_ form: Form) {
    self.form = form
    if form == .lines { line = .data }
  }

  package mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [AnswerToken]) {
    let bytes = chunk.bytes
    if bytes.count > 0 { lastPacket = chunk.released }
    var index = 0
    while index < bytes.count, !isOver {
      let byte = bytes[index]
      if let seen = marked, takeMark(byte, seen) {
        index += 1
        continue
      }
      if byte == 0x0A || byte == 0x0D {
        endLine(byte, chunk.released, into: &tokens)
        index += 1
        continue
      }
      endedByReturn = false
      switch line {
      case .data:
        let end = Self.lineEnd(bytes, from: index + 1)
        take(bytes, index..<end)
        index = end
      case .other:
        isLineEmpty = false
        index = Self.lineEnd(bytes, from: index + 1)
      case .field, .colon:
        isLineEmpty = false
        takeName(byte)
        index += 1
      }
    }
  }

  private static func lineEnd(_ bytes: Span<UInt8>, from start: Int) -> Int {
    firstIndex(of: 0x0A, or: 0x0D, in: bytes, from: start, to: bytes.count)
  }

  /// Whether a byte at the beginning belongs to the mark.
  private mutating func takeMark(_ byte: UInt8, _ seen: Int) -> Bool {
    if byte == Self.mark[seen] {
      marked = seen + 1 < Self.mark.count ? seen + 1 : nil
      return true
    }
    marked = nil
    guard seen > 0 else { return false }
    // What only began like the mark is no name, and no JSON.
    isLineEmpty = false
    if form == .lines { isLost = true } else { line = .other }
    return false
  }

  private mutating func take(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    isLineEmpty = false
    hasData = true
    for index in range.prefix(Self.done.count + 1 - min(opening.count, Self.done.count + 1)) {
      opening.append(bytes[index])
    }
    if !isLost { json.read(bytes, range) }
  }

  private mutating func takeName(_ byte: UInt8) {
    switch line {
    case .field(let count) where count < Self.name.count:
      line = byte == Self.name[count] ? .field(count + 1) : .other
    case .field: line = byte == UInt8(ascii: ":") ? .colon : .other
    case .colon:
      line = .data
      guard byte != 0x20 else { return }
      hasData = true
      opening.append(byte)
      if !isLost { json.take(byte) }
    case .data, .other: break
    }
  }

  private mutating func endLine(_ byte: UInt8, _ packet: PacketRef, into tokens: inout [AnswerToken]) {
    if byte == 0x0A, endedByReturn {
      endedByReturn = false
      return
    }
    // A CR ends the lines of event streams; between lines of JSON it is a blank.
    if form == .lines, byte == 0x0D { return }
    endedByReturn = byte == 0x0D
    if form == .lines || isLineEmpty { endItem(packet, into: &tokens) } else if hasData { json.take(0x0A) }
    isLineEmpty = true
    line = form == .lines ? .data : .field(0)
  }

  private mutating func endItem(_ packet: PacketRef, into tokens: inout [AnswerToken]) {
    defer {
      json.clear()
      opening.removeAll(keepingCapacity: true)
      hasData = false
      isLost = false
    }
    guard hasData, !isLost else { return }
    if dialect == nil {
      dialect = json.isObject ? AnswerDialect(json.facts, form) : nil
      if dialect == nil {
        trials += 1
        isOver = trials == Self.trialLimit
        return
      }
    }
    guard let dialect else { return }
    var item = AnswerItem(completed: packet)
    if json.isObject {
      item.take(json.facts, dialect)
    } else if opening == Self.done {
      item.isEnd = true
    }
    tokens.append(.item(item))
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [AnswerToken]) {
    json.clear()
    opening.removeAll(keepingCapacity: true)
    hasData = false
    isLost = true
    isLineEmpty = false
    endedByReturn = false
    marked = nil
    line = form == .lines ? .data : .other
    if dialect != nil { tokens.append(.gap) }
  }

  package mutating func finish(_ end: DirectionEnd, into tokens: inout [AnswerToken]) {
    // Receivers discard an event without its end; a last line without one is mostly taken.
    guard form == .lines, json.isWhole, !isLost else { return }
    endItem(lastPacket, into: &tokens)
  }
}

import Citation

/// A line of a body that is one JSON text a line.
package struct JSONLine: Hashable, Sendable {
  /// With its line feed, in the decoded body.
  package var range: Range<UInt64>
  package var first: PacketRef
  /// The packet of the last byte before the line end.
  package var last: PacketRef
  /// The packet of the line feed.
  package var completed: PacketRef
  /// The beginning of it, where the parser was asked to keep it.
  package var data: [UInt8] = []

  package init(range: Range<UInt64>, first: PacketRef, last: PacketRef, completed: PacketRef) {
    self.range = range
    self.first = first
    self.last = last
    self.completed = completed
  }

  package var hold: Int64 { completed.time.since(last.time) }
}

package enum JSONLineToken: Hashable, Sendable {
  case line(JSONLine)
  /// Nothing but blanks, as senders that want to stay alive write it.
  case emptyLine(PacketRef)
  /// Without a line feed, at the end of the input; readers mostly take it.
  case unfinished(JSONLine)
}

/// Tells the lines of newline-delimited JSON. Whether they are JSON is not looked at.
package struct JSONLineParser: IncrementalParser, Sendable {
  private var start: UInt64 = 0
  private var first = PacketRef.none
  private var last = PacketRef.none
  private var isOpen = false
  private var isLost = false
  private var end: UInt64 = 0
  private var lastPacket = PacketRef.none
  private let dataLimit: Int
  private var data: [UInt8] = []

  package init(keepingData limit: Int = 0) {
    dataLimit = limit
  }

  /// Between two lines.
  @inline(__always)
  package var isAtEdge: Bool { !isOpen }

  package mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [JSONLineToken]) {
    let bytes = chunk.bytes
    let packet = chunk.released
    guard bytes.count > 0 else { return }
    for index in 0..<bytes.count {
      let offset = chunk.offset &+ UInt64(truncatingIfNeeded: index)
      switch bytes[index] {
      case 0x0A:
        if isLost {
          isLost = false
        } else if isOpen {
          tokens.append(.line(line(completed: packet, upTo: offset &+ 1)))
        } else {
          tokens.append(.emptyLine(packet))
        }
        isOpen = false
        data.removeAll(keepingCapacity: true)
      case 0x0D, 0x20, 0x09: break
      default:
        if !isOpen {
          isOpen = true
          start = offset
          first = packet
        }
        last = packet
      }
      if isOpen, data.count < dataLimit { data.append(bytes[index]) }
    }
    end = chunk.offset &+ UInt64(truncatingIfNeeded: bytes.count)
    lastPacket = packet
  }

  private func line(completed packet: PacketRef, upTo end: UInt64) -> JSONLine {
    var line = JSONLine(range: start..<max(start, end), first: first, last: last, completed: packet)
    line.data = data
    return line
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [JSONLineToken]) {
    isOpen = false
    data.removeAll(keepingCapacity: true)
    isLost = true
    end = range.upperBound
  }

  package mutating func finish(_ reason: DirectionEnd, into tokens: inout [JSONLineToken]) {
    if isOpen, !isLost { tokens.append(.unfinished(line(completed: lastPacket, upTo: end))) }
    isOpen = false
  }
}

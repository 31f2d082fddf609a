import Citation
import Events
import HTTP2
import HTTPSemantics

// WebSockets in streams (RFC 8441): what DATA carries after a CONNECT that was accepted is read as on a connection of
// its own.
extension HTTP2Dialogue {
  /// A response head may open one.
  mutating func openSocket(_ at: Int, _ block: HTTP2Block, _ direction: Direction, into events: inout [Event]) {
    guard !isRequest(direction), let heads = table.streams[at].socketHeads() else { return }
    let opening = WebSocketOpening(
      table.streams[at].exchange.key, heads.asked, heads.answer, block.span.first, requests: requestDirection)
    table.streams[at].socket = Rare(
      WebSocketDialogue(
        opening, path: heads.asked.targetText, tellsMoments: options.tellsMoments, options.pieces, into: &events))
  }

  /// Bytes of a stream that is one.
  mutating func takeSocket(
    _ range: Range<UInt64>, of chunk: borrowing CitedBytes, _ at: Int, _ direction: Direction,
    into events: inout [Event]
  ) {
    let start = Int(clamping: range.lowerBound &- chunk.offset)
    let end = Int(clamping: range.upperBound &- chunk.offset)
    guard start <= end, end <= chunk.bytes.count else { return }
    let piece = CitedBytes(
      chunk.bytes.extracting(start..<end), at: table.streams[at].bodyBytes(isRequest: isRequest(direction)),
      in: chunk.packet, released: chunk.released)
    table.streams[at].socket.value.consume(piece, direction, into: &events)
    // Frames of other streams follow: none is kept to be told with others.
    table.streams[at].socket.value.tellPlain(into: &events)
  }

  mutating func loseSocket(_ at: Int, _ count: UInt64, _ direction: Direction, into events: inout [Event]) {
    guard !table.streams[at].socket.isEmpty else { return }
    let offset = table.streams[at].bodyBytes(isRequest: isRequest(direction))
    let gap = SequenceGap(offset..<max(offset, offset &+ max(1, count)), .notCaptured, table.streams[at].last)
    table.streams[at].socket.value.skip(gap, direction, into: &events)
  }

  /// A side ends the stream: it is the end of a connection to the WebSocket in it.
  mutating func endSocket(_ at: Int, _ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    guard table.streams[at].hasSocket() else { return }
    table.streams[at].socket.value.finish(end, direction, into: &events)
    events.append(.socketEnded(end, direction, table.streams[at].exchange.key))
  }

  mutating func closeSocket(_ at: Int, into events: inout [Event]) {
    guard table.streams[at].hasSocket() else { return }
    table.streams[at].socket.value.close(into: &events)
    table.streams[at].socket.remove()
  }
}

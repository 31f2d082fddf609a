import Citation
import Events
import HTTP1
import HTTPSemantics

// The parts of messages as entries of the connection's timeline.
extension HTTP1Dialogue {
  func tell(
    _ kind: TimelineEntry.Kind, _ isRequest: Bool, _ packet: PacketRef, bytes: UInt64 = 0, value: UInt64 = 0,
    label: String = "", into events: inout [Event]
  ) {
    var entry = TimelineEntry(kind, isRequest ? requestDirection : requestDirection.opposite, packet, bytes: bytes)
    entry.value = value
    entry.label = label
    entry.exchange = exchange(isRequest)
    events.append(.moment(entry))
  }

  /// The number of the exchange whose message is being read.
  private func exchange(_ isRequest: Bool) -> Int {
    isRequest ? pairing.count : pairing.awaited.map { pairing.open[$0].number } ?? pairing.count
  }

  /// Tells what the bytes just read completed.
  mutating func tellPieces(_ isRequest: Bool, into events: inout [Event]) {
    let key = ExchangeKey(number: exchange(isRequest))
    if isRequest { request.tellPieces(of: key, into: &events) } else { response.tellPieces(of: key, into: &events) }
  }

  func tellBody(
    _ range: Range<UInt64>, _ isRequest: Bool, _ chunk: borrowing CitedBytes, into events: inout [Event]
  ) {
    let isChunked = isRequest ? request.isChunked : response.isChunked
    tell(
      isChunked ? .chunks : .body, isRequest, chunk.packet, bytes: range.upperBound - range.lowerBound, into: &events)
  }

  func tell(_ token: HTTP1Token, _ isRequest: Bool, into events: inout [Event]) {
    switch token {
    case .head(let head), .partialHead(let head):
      var label = isRequest ? head.requestTitle : "\(head.status.code)"
      // HTTP/0.9 has no status.
      if !isRequest, head.version == .simple { label = "reply without a head" }
      if !isRequest, !head.reasonText.isEmpty { label += " " + head.reasonText }
      var entry = TimelineEntry(
        .head, isRequest ? requestDirection : requestDirection.opposite, head.span.first, bytes: head.span.count)
      entry.last = head.span.last
      entry.label = label
      // A head without body is over when it is told, and its exchange may be, too.
      entry.exchange = exchange(isRequest)
      events.append(.moment(entry))
    case .lastChunk(let line): tell(.lastChunk, isRequest, line.span.first, into: &events)
    case .framingError(let error):
      tell(.unreadable, isRequest, error.span.first, bytes: error.span.count, into: &events)
    default: break
    }
  }
}

import Events
import HTTP1
import HTTPSemantics
import Trace

/// The exchanges of an HTTP/1.x connection.
///
/// Responses answer requests in their order (RFC 9112 §9.3.2). An exchange is told when both its messages are over, and
/// after those before it; what is still open when the connection ends is told then, with the reason it is unfinished.
///
/// Invariant: `open` is in the order of requests; the first without a final response is the one that the next response
/// answers.
package struct HTTP1Dialogue: Sendable {
  private let requestDirection: Direction
  private let tellsMoments: Bool
  private var requests: HTTP1Parser
  private var responses: HTTP1Parser
  private var tokens: [HTTP1Token] = []
  private var open: [ExchangeRecord] = []
  private var count = 0
  private var request = MessageBuilder(isMetered: true)
  private var response = MessageBuilder(isMetered: false)
  private var connectionEnd: StreamEnd?

  init(requests direction: Direction, isMidstream: Bool, tellsMoments: Bool) {
    requestDirection = direction
    self.tellsMoments = tellsMoments
    requests = HTTP1Parser(.request, start: isMidstream ? .midstream : .atMessage)
    responses = HTTP1Parser(.response, start: isMidstream ? .midstream : .atMessage)
  }

  /// Neither side speaks HTTP any more, and everything it said is told.
  var isDone: Bool { open.isEmpty && requests.isDone && responses.isDone }

  mutating func consume(_ chunk: borrowing StreamChunk, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: true)
    let isRequest = direction == requestDirection
    if isRequest {
      requests.consume(chunk, into: &tokens)
    } else {
      responses.consume(chunk, into: &tokens)
    }
    for index in tokens.indices {
      switch tokens[index] {
      case .body(let range, let offset):
        if isRequest {
          request.takeBody(range, offset, of: chunk)
        } else {
          response.takeBody(range, offset, of: chunk)
        }
        noteTurn(isRequest, chunk.released)
        if tellsMoments { tellBody(range, isRequest, chunk, into: &events) }
      case .chunkSize: break
      case .chunkEnd(let ended):
        if isRequest { request.take(ended) } else { response.take(ended) }
        if tellsMoments { tell(.chunks, isRequest, chunk.packet, value: 1, into: &events) }
      default:
        take(tokens[index], isRequest, into: &events)
      }
    }
  }

  mutating func skip(_ gap: Range<UInt64>, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: true)
    if direction == requestDirection {
      requests.skip(gap: gap, into: &tokens)
    } else {
      responses.skip(gap: gap, into: &tokens)
    }
    for token in tokens { take(token, direction == requestDirection, into: &events) }
  }

  mutating func finish(_ end: StreamEnd, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: true)
    if direction == requestDirection {
      requests.finish(end, into: &tokens)
    } else {
      responses.finish(end, into: &tokens)
    }
    if connectionEnd == nil || direction != requestDirection { connectionEnd = end }
    for token in tokens { take(token, direction == requestDirection, into: &events) }
  }

  /// Tells what is still open.
  mutating func close(into events: inout [Event]) {
    if let at = open.lastIndex(where: { $0.request == nil }), let message = request.taken() {
      open[at].request = message
    }
    if let message = response.taken() { answer(with: message) }
    for var exchange in open {
      exchange.connectionEnd = connectionEnd
      events.append(.exchange(exchange))
    }
    open.removeAll()
  }

  // MARK: Tokens

  private mutating func take(_ token: HTTP1Token, _ isRequest: Bool, into events: inout [Event]) {
    if isRequest { takeRequest(token, into: &events) } else { takeResponse(token, into: &events) }
    if tellsMoments { tell(token, isRequest, into: &events) }
  }

  private mutating func takeRequest(_ token: HTTP1Token, into events: inout [Event]) {
    switch token {
    case .messageStart(_, let first):
      count += 1
      open.append(ExchangeRecord(number: count))
      request.begin(requestDirection, first)
    case .head(let head):
      request.take(head)
      responses.expect(RequestContext(head))
    case .messageEnd(let end):
      guard let message = request.ended(end) else { return }
      if let at = open.lastIndex(where: { $0.request == nil && $0.number == count }) { open[at].request = message }
      tellFinished(into: &events)
    default:
      guard let stray = request.take(token) else { return }
      events.append(.stray(stray, requestDirection, exchange: count))
    }
  }

  private mutating func takeResponse(_ token: HTTP1Token, into events: inout [Event]) {
    switch token {
    case .messageStart(_, let first):
      response.begin(requestDirection.opposite, first)
    case .head(let head):
      response.take(head)
      if !head.isInterim { noteEarlyAnswer() }
    case .messageEnd(let end):
      guard let message = response.ended(end) else { return }
      answer(with: message)
      tellFinished(into: &events)
    case .tunnel:
      var further: [HTTP1Token] = []
      requests.switchToTunnel(into: &further)
      for token in further { takeRequest(token, into: &events) }
    default:
      guard let stray = response.take(token) else { return }
      events.append(.stray(stray, requestDirection.opposite, exchange: count))
    }
  }

  /// Gives a response to the request it answers.
  private mutating func answer(with message: Message) {
    var at = open.firstIndex { $0.response == nil }
    if at == nil {
      count += 1
      open.append(ExchangeRecord(number: count))
      at = open.count - 1
    }
    guard let at else { return }
    if message.head?.isInterim == true { open[at].interim.append(message) } else { open[at].response = message }
  }

  /// Tells the exchanges that are over, in order.
  private mutating func tellFinished(into events: inout [Event]) {
    while let first = open.first, let response = first.response, response.end != nil,
      first.request?.end != nil || (first.request == nil && !request.isOpen)
    {
      events.append(.exchange(first))
      open.removeFirst()
    }
  }

  // MARK: Two bodies at once

  /// The request whose body is being sent is the one whose response is being sent, or nil: with pipelining, the bodies
  /// of two exchanges say nothing of each other.
  private var sharedExchange: Int? {
    guard request.isOpen, open.count == 1, open[0].request == nil, open[0].response == nil else { return nil }
    return 0
  }

  private mutating func noteEarlyAnswer() {
    guard let at = sharedExchange else { return }
    open[at].requestBytesAtResponse = request.bodyBytes
  }

  /// Counts how often the two bodies take turns.
  @inline(__always)
  private mutating func noteTurn(_ isRequest: Bool, _ packet: PacketRef) {
    guard request.isOpen, response.isOpen else { return }
    countTurn(isRequest, packet)
  }

  private mutating func countTurn(_ isRequest: Bool, _ packet: PacketRef) {
    guard let at = sharedExchange else { return }
    open[at].interleaving.take(isRequest, packet)
  }
}

// MARK: The timeline

extension HTTP1Dialogue {
  private func tell(
    _ kind: TimelineEntry.Kind, _ isRequest: Bool, _ packet: PacketRef, bytes: UInt64 = 0, value: UInt64 = 0,
    label: String = "", into events: inout [Event]
  ) {
    var entry = TimelineEntry(kind, isRequest ? requestDirection : requestDirection.opposite, packet, bytes: bytes)
    entry.value = value
    entry.label = label
    entry.exchange = isRequest ? count : open.first { $0.response == nil }?.number ?? count
    events.append(.moment(entry))
  }

  private func tellBody(
    _ range: Range<UInt64>, _ isRequest: Bool, _ chunk: borrowing StreamChunk, into events: inout [Event]
  ) {
    let isChunked = isRequest ? request.isChunked : response.isChunked
    tell(
      isChunked ? .chunks : .body, isRequest, chunk.packet, bytes: range.upperBound - range.lowerBound, into: &events)
  }

  private func tell(_ token: HTTP1Token, _ isRequest: Bool, into events: inout [Event]) {
    switch token {
    case .head(let head), .partialHead(let head):
      var label = isRequest ? head.requestTitle : "\(head.status.code)"
      if !isRequest, !head.reasonText.isEmpty { label += " " + head.reasonText }
      var entry = TimelineEntry(
        .head, isRequest ? requestDirection : requestDirection.opposite, head.span.first, bytes: head.span.count)
      entry.last = head.span.last
      entry.label = label
      // A head without body is over when it is told, and its exchange may be, too.
      entry.exchange = isRequest ? count : open.first { $0.response == nil }?.number ?? count
      events.append(.moment(entry))
    case .lastChunk(let line): tell(.lastChunk, isRequest, line.span.first, into: &events)
    case .framingError(let error):
      tell(.unreadable, isRequest, error.span.first, bytes: error.span.count, into: &events)
    default: break
    }
  }
}

extension Interleaving {
  fileprivate mutating func take(_ isRequest: Bool, _ packet: PacketRef) {
    let wasRequest = requestRuns == responseRuns
    if first == nil {
      // Both bodies are open, and this is the first byte of a response's.
      guard !isRequest else { return }
      first = packet
      last = packet
      responseRuns = 1
      requestRuns = 0
      return
    }
    last = packet
    if isRequest, !wasRequest { requestRuns += 1 }
    if !isRequest, wasRequest { responseRuns += 1 }
  }
}

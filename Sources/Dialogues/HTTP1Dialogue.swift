import Citation
import Events
import HTTP1
import HTTPSemantics

/// The exchanges of an HTTP/1.x connection.
///
/// Responses answer requests in their order (RFC 9112 §9.3.2). An exchange is told when both its messages are over, and
/// after those before it; what is still open when the connection ends is told then, with the reason it is unfinished.
///
/// Where the capture lacks bytes, the order alone would pair a response with the wrong request; then the packets decide
/// (see Lost messages below): a response answers no request that was sent after it, and a request that was followed by
/// another one, with a hole between, has had its response in the hole.
///
/// Invariant: `open` is in the order of requests; the first without a final response is the one that the next response
/// answers.
package struct HTTP1Dialogue: Sendable {
  let requestDirection: Direction
  var tellsMoments: Bool
  private let readsFrames: Bool
  private let pieces: PieceOptions
  private var requests: HTTP1Parser
  private var responses: HTTP1Parser
  private var tokens: [HTTP1Token] = []
  var open: [ExchangeRecord] = []
  var count = 0
  private var requestExchange: Int?
  var request = MessageBuilder(isMetered: true)
  var response = MessageBuilder(isMetered: false)
  private var connectionEnd: DirectionEnd?
  /// The last packet before or at which responses are missing from the capture, while it matters.
  private var responseHole: PacketRef?
  /// What is looked for among the responses is looked for behind a hole; and was not found to the end.
  private var isBehindHole = false
  private var lacksLastResponses = false
  /// A hole in either direction may have held the edge of a message.
  private var lacksEdges = false
  /// How far the requests are read: a response of a later packet that answers none may answer one that is still to come,
  /// because it waits behind a hole.
  private var requestsReadTo: UInt64 = 0
  /// Responses without request that wait for it.
  private static let waitingLimit = 32
  private var sideEnds = BothDirections<SideEnd?>(repeating: nil)
  private var writes = BothDirections(repeating: WritePace())
  /// What a 101 made of the connection, and where the new protocol begins in the response direction.
  private var upgrade = Rare<SocketUpgrade>()
  private var early = EarlyBytes()
  /// Once a 101 has handed the connection over: everything after it belongs there.
  private(set) var successor = Rare<WebSocketDialogue>()
  /// Where the server's first byte stands of something that is spoken through a proxy from there on (CONNECT).
  private(set) var passage: UInt64?

  init(requests direction: Direction, isMidstream: Bool, _ options: DialogueOptions) {
    requestDirection = direction
    tellsMoments = options.tellsMoments
    readsFrames = options.readsFrames
    pieces = options.pieces
    request.pieces = options.pieces
    response.pieces = options.pieces
    count = options.exchangesBefore
    request.digests = options.digests
    response.digests = options.digests
    requests = HTTP1Parser(.request, start: isMidstream ? .midstream : .atMessage)
    responses = HTTP1Parser(.response, start: isMidstream ? .midstream : .atMessage)
  }

  /// Answers whether this was the last of it: neither side speaks HTTP any more, and everything it said is told.
  @discardableResult
  mutating func consume(
    _ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) -> Bool {
    if !successor.isEmpty {
      successor.value.consume(chunk, direction, into: &events)
      return false
    }
    if !tokens.isEmpty { tokens.removeAll(keepingCapacity: true) }
    let isRequest = direction == requestDirection
    noteWrite(chunk, direction, isRequest)
    if isRequest {
      requestsReadTo = chunk.packet.number
      requests.consume(chunk, into: &tokens)
    } else {
      if responseHole != nil { passLostResponses(before: chunk.packet, into: &events) }
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
        if pieces.isTold { tellPieces(isRequest, into: &events) }
      case .chunkSize(let line):
        if isRequest { request.begin(line) } else { response.begin(line) }
      case .chunkEnd(let ended):
        if isRequest { request.take(ended) } else { response.take(ended) }
        if tellsMoments { tell(.chunks, isRequest, chunk.packet, value: 1, into: &events) }
        if pieces.isTold { tellPieces(isRequest, into: &events) }
      default:
        take(tokens[index], isRequest, into: &events)
      }
    }
    if isRequest, !open.isEmpty, open[0].request == nil { tellFinished(into: &events) }
    if isRequest { early.note(chunk) }
    if !upgrade.isEmpty { handOver(chunk, into: &events) }
    return open.isEmpty && requests.isDone && responses.isDone && successor.isEmpty
  }

  /// Lets the protocol that a 101 switched to read what comes after it: the rest of this chunk, and what the client sent
  /// without waiting.
  private mutating func handOver(_ chunk: borrowing CitedBytes, into events: inout [Event]) {
    guard let upgrade = upgrade.copy, let start = upgrade.start else { return }
    var opening = upgrade.opening
    if let first = early.pieces.first, first.packet.number < (opening.released ?? .none).number {
      opening.early = first.packet
    }
    var socket = WebSocketDialogue(
      opening, path: upgrade.path, tellsMoments: tellsMoments, pieces, into: &events)
    if early.isOverfull {
      let range = early.range
      socket.skip(SequenceGap(range, .holdLimit, chunk.packet), requestDirection, into: &events)
    }
    for piece in early.pieces { socket.consume(piece.chunk, requestDirection, into: &events) }
    let from = Int(clamping: max(start, chunk.offset) &- chunk.offset)
    if from < chunk.bytes.count {
      socket.consume(chunk.slice(from..<chunk.bytes.count), requestDirection.opposite, into: &events)
    }
    self.upgrade.remove()
    early.expect(nil)
    successor = Rare(socket)
  }

  mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event]) {
    if !successor.isEmpty { return successor.value.skip(gap, direction, into: &events) }
    tokens.removeAll(keepingCapacity: true)
    if direction == requestDirection { early.expect(nil) }
    if direction == requestDirection {
      let wasOpen = requests.isMessageOpen
      requests.skip(gap: gap.range, isLengthKnown: gap.isLengthKnown, into: &tokens)
      if !wasOpen || !requests.isMessageOpen { lacksEdges = true }
    } else {
      let wasOpen = responses.isMessageOpen
      responses.skip(gap: gap.range, isLengthKnown: gap.isLengthKnown, into: &tokens)
      if !wasOpen || !responses.isMessageOpen {
        responseHole = gap.packet
        isBehindHole = responses.isSearching
        lacksEdges = true
      }
    }
    for token in tokens { take(token, direction == requestDirection, into: &events) }
  }

  /// Answers whether that was the last of it, as `consume` does.
  @discardableResult
  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) -> Bool {
    if !successor.isEmpty {
      successor.value.finish(end, direction, into: &events)
      return false
    }
    tokens.removeAll(keepingCapacity: true)
    if direction == requestDirection {
      requestsReadTo = .max
      requests.finish(end.end, into: &tokens)
    } else {
      if isBehindHole, responses.isSearching { lacksLastResponses = true }
      responses.finish(end.end, into: &tokens)
    }
    if connectionEnd == nil || direction != requestDirection { connectionEnd = end.end }
    sideEnds[direction] = end
    for token in tokens { take(token, direction == requestDirection, into: &events) }
    return requests.isDone && responses.isDone && open.isEmpty
  }

  /// Tells what is still open.
  mutating func close(into events: inout [Event]) {
    if isBehindHole, responses.isSearching { lacksLastResponses = true }
    if let at = requestIndex, let message = request.taken() { open[at].request = message }
    if let message = response.taken() { answer(with: message) }
    for var exchange in open {
      if let connectionEnd { exchange.end.cause = .connection(connectionEnd) }
      exchange.isResponseMissing = exchange.response == nil && (responseHole != nil || lacksLastResponses)
      exchange.end.sides = sideEnds
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
      if !beginsAnswered(first) {
        count += 1
        open.append(ExchangeRecord(ExchangeKey(number: count)))
        open[open.count - 1].isPairingUnsure = lacksEdges
        requestExchange = count
      }
      request.begin(requestDirection, first)
    case .head(let head):
      request.take(head)
      responses.expect(RequestContext(head))
      early.expect(readsFrames && head.asksForWebSocket ? head.span.range.upperBound : nil)
    case .messageEnd(let end):
      guard let message = request.ended(end) else { return }
      if let at = requestIndex { open[at].request = message }
      requestExchange = nil
      tellFinished(into: &events)
    default:
      guard let stray = request.take(token) else { return }
      events.append(.stray(stray, requestDirection, exchange: ExchangeKey(number: count)))
    }
  }

  private mutating func takeResponse(_ token: HTTP1Token, into events: inout [Event]) {
    switch token {
    case .messageStart(_, let first):
      response.begin(requestDirection.opposite, first)
    case .head(let head):
      response.take(head, expectsEvents: head.status.code == 200 && asksForEvents)
      if !head.isInterim { noteEarlyAnswer() }
    case .messageEnd(let end):
      guard let message = response.ended(end) else { return }
      answer(with: message)
      tellFinished(into: &events)
    case .tunnel(let start, _):
      if !upgrade.isEmpty { upgrade.value.start = start } else { passage = start }
      var further: [HTTP1Token] = []
      requests.switchToTunnel(into: &further)
      for token in further { takeRequest(token, into: &events) }
    default:
      guard let stray = response.take(token) else { return }
      events.append(.stray(stray, requestDirection.opposite, exchange: ExchangeKey(number: count)))
    }
  }

  /// Whether the request that the next response answers asks for an event stream.
  private var asksForEvents: Bool {
    guard let asked = open.firstIndex(where: { $0.response == nil }) else { return false }
    if let message = open[asked].request { return message.head?.block.acceptsEvents == true }
    return open[asked].number == requestExchange && request.head?.block.acceptsEvents == true
  }

  /// The exchange whose request is being read.
  private var requestIndex: Int? {
    guard let requestExchange else { return nil }
    return open.lastIndex { $0.number == requestExchange && $0.request == nil }
  }

  /// Gives a response to the request it answers: none that was sent after it began.
  private mutating func answer(with message: Message) {
    let later = open.firstIndex { exchange in
      (exchange.request?.first.number ?? (exchange.number == requestExchange ? request.first.number : 0))
        > message.first.number
    }
    var at = open[..<(later ?? open.count)].firstIndex { $0.response == nil }
    if at == nil {
      count += 1
      at = later ?? open.count
      open.insert(ExchangeRecord(ExchangeKey(number: count)), at: at ?? 0)
    }
    guard let at else { return }
    if readsFrames, let opening = WebSocketOpening(open[at], message, requests: requestDirection) {
      upgrade = Rare(SocketUpgrade(opening: opening, path: open[at].target))
    }
    if lacksEdges { open[at].isPairingUnsure = true }
    if message.head?.isInterim == true { open[at].interim.append(message) } else { open[at].response = message }
  }

  /// Tells the exchanges that are over, in order.
  private mutating func tellFinished(into events: inout [Event]) {
    while var first = open.first, let response = first.response, response.end != nil, isOver(first, response) {
      first.end.sides = sideEnds
      events.append(.exchange(first))
      open.removeFirst()
    }
  }

  private func isOver(_ exchange: ExchangeRecord, _ response: Message) -> Bool {
    if exchange.request != nil { return exchange.request?.end != nil }
    guard exchange.number != requestExchange else { return false }
    return requestsReadTo > response.first.number || open.count > Self.waitingLimit
  }

  // MARK: Lost messages

  /// Before response bytes that follow a hole: requests whose responses the hole holds are told without. Of several
  /// requests after the hole's first packet the last one is answered: a client that waits for each answer is usual, and
  /// one that does not is rare. A request whose own packet acknowledges the hole was sent after it.
  private mutating func passLostResponses(before packet: PacketRef, into events: inout [Event]) {
    guard let hole = responseHole, !responses.isMessageOpen else { return }
    let sent = { (exchange: ExchangeRecord) in exchange.request?.first ?? exchange.first }
    guard
      let next = open.lastIndex(where: { exchange in
        exchange.response == nil && sent(exchange).number >= hole.number && sent(exchange).number < packet.number
      })
    else { return }
    responseHole = nil
    let passed = open[..<next].filter { $0.response == nil }
    for var exchange in passed where exchange.request?.end != nil {
      exchange.isResponseMissing = true
      exchange.end.sides = sideEnds
      events.append(.exchange(exchange))
    }
    open.removeAll { exchange in passed.contains { $0.number == exchange.number && exchange.request?.end != nil } }
    responses.forgetExpected(passed.count)
  }

  /// Whether a request that is told late, because a hole before it was waited for, has its response already.
  private mutating func beginsAnswered(_ first: PacketRef) -> Bool {
    guard !open.isEmpty,
      let at = open.firstIndex(where: { exchange in
        exchange.request == nil && exchange.number != requestExchange
          && (exchange.response?.first.number ?? 0) > first.number
      })
    else { return false }
    requestExchange = open[at].number
    return true
  }

  // MARK: Writes that wait

  /// Looks whether this segment of a chunked message waited for the acknowledgement of the one before it.
  @inline(__always)
  private mutating func noteWrite(_ chunk: borrowing CitedBytes, _ direction: Direction, _ isRequest: Bool) {
    guard let write = writes[direction].take(chunk, answered: writes[direction.opposite].last) else { return }
    if isRequest {
      if request.isOpen, request.isChunked { request.take(write) }
    } else {
      if response.isOpen, response.isChunked { response.take(write) }
    }
  }

  // MARK: Pauses

  func isInBody(_ direction: Direction) -> Bool {
    direction == requestDirection ? request.isInBody : response.isInBody
  }

  /// The body of a direction that is going on.
  func openBody(_ direction: Direction) -> OpenBody? {
    let isRequest = direction == requestDirection
    guard var body = isRequest ? request.openBody : response.openBody else { return nil }
    let at = isRequest ? requestIndex : open.firstIndex { $0.response == nil }
    guard let at else { return body }
    body.key = open[at].key
    body.title =
      (open[at].request?.head ?? (open[at].number == requestExchange ? request.head : nil))?.requestTitle ?? ""
    return body
  }

  mutating func take(_ pause: StreamPause) {
    if pause.direction == requestDirection { request.take(pause) } else { response.take(pause) }
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

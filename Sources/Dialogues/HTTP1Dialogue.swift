import Citation
import Events
import HTTP1
import HTTPSemantics

/// The exchanges of an HTTP/1.x connection.
///
/// It reads both directions into messages; HTTP1Pairing decides which of them belong together.
package struct HTTP1Dialogue: Sendable {
  // First what is asked for each packet, so that it stands together.

  /// Once a 101 has handed the connection over: everything after it belongs there.
  private(set) var successor = Rare<WebSocketDialogue>()
  private var tokens: [HTTP1Token] = []
  let requestDirection: Direction
  var tellsMoments: Bool
  /// The last bytes were of a body, and changed nothing in what is held.
  private(set) var isSteady = false
  /// What is read undoes a coding.
  var isCoded: Bool { request.isCoded || response.isCoded }
  /// What answered an offer of HTTP/2 is in a hole: what follows may be either.
  private(set) var mayHaveUpgraded = false
  /// The 101 that hands over agrees on HTTP/2.
  private(set) var upgradesToHTTP2 = false
  private let pieces: PieceOptions
  /// What a 101 made of the connection, and where the new protocol begins in the response direction.
  private var upgrade = Rare<SocketUpgrade>()
  private var writes = BothDirections(repeating: WritePace())
  var pairing: HTTP1Pairing
  private var responses: HTTP1Parser
  var response: MessageBuilder
  private var requests: HTTP1Parser
  var request: MessageBuilder
  private(set) var early = EarlyBytes()
  /// A response that was being sent when the capture began, until its first byte is read.
  private var joined = Rare<JoinedBody>()
  /// Where the server's first byte stands of something that is spoken through a proxy from there on (CONNECT).
  private(set) var passage: UInt64?
  /// The request that offered HTTP/2 instead.
  private(set) var offer: MessageHead?

  init(requests direction: Direction, isMidstream: Bool, _ options: DialogueOptions) {
    requestDirection = direction
    pairing = HTTP1Pairing(after: options.exchangesBefore)
    tellsMoments = options.tellsMoments
    pieces = options.pieces
    request = MessageBuilder(isMetered: true, options)
    response = MessageBuilder(isMetered: false, options)
    requests = HTTP1Parser(.request, start: isMidstream ? .midstream : .atMessage)
    responses = HTTP1Parser(.response, start: isMidstream ? .midstream : .atMessage)
  }

  mutating func countHeld() -> Int {
    var sum = requests.countHeld() + responses.countHeld() + pairing.countHeld() + request.countHeld()
    sum += response.countHeld() + early.countHeld() + upgrade.heldBytes
    // Of its first bytes: all other tokens are in a room that is lent.
    sum += ArrayRoom.grown(to: tokens.count) * MemoryLayout<HTTP1Token>.stride
    if !successor.isEmpty { sum += successor.heldBytes + successor.value.countHeld() }
    return sum
  }

  /// Lets go of what undoes content codings.
  mutating func dropContent() {
    request.readers.dropContent()
    response.readers.dropContent()
    if !successor.isEmpty { successor.value.dropContent() }
  }

  /// The capture begins inside of a response, which is read from an offset on.
  init(joining body: JoinedBody, from start: UInt64, requests direction: Direction, _ options: DialogueOptions) {
    self.init(requests: direction, isMidstream: true, options)
    responses = HTTP1Parser(.response, start: .inBody(body.framing, from: start))
    joined = Rare(body)
  }

  @inline(__always)
  mutating func takeRoom(of rooms: inout TokenRooms) {
    swap(&tokens, &rooms.http1)
    if !successor.isEmpty { successor.value.takeRoom(of: &rooms) }
  }

  /// What it had of its own, from its first bytes, is let go.
  @inline(__always)
  mutating func giveBackRoom(to rooms: inout TokenRooms) {
    swap(&tokens, &rooms.http1)
    tokens = []
    if !successor.isEmpty { successor.value.giveBackRoom(to: &rooms) }
  }

  /// Answers whether this was the last of it.
  @discardableResult
  mutating func consume(
    _ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) -> Bool {
    if !successor.isEmpty {
      successor.value.consume(chunk, direction, into: &events)
      return false
    }
    let isRequest = direction == requestDirection
    noteWrite(chunk, direction, isRequest)
    if isRequest { pairing.requestsReadTo = chunk.packet.number }
    // Most bytes are of bodies, and need no token.
    if let place = isRequest ? requests.takeInside(chunk) : responses.takeInside(chunk) {
      isSteady = isRequest ? request.isSteady : response.isSteady
      take(
        chunk.offset..<chunk.offset &+ UInt64(truncatingIfNeeded: chunk.bytes.count), place, isRequest, chunk,
        into: &events)
    } else if !isRequest, let whole = responses.takeWholeChunk(chunk) {
      isSteady = response.isSteady
      response.beginChunk(whole.chunk.index, size: whole.chunk.size)
      take(whole.data, whole.place, isRequest, chunk, into: &events)
      take(whole.chunk, isRequest, chunk.packet, into: &events)
    } else {
      read(chunk, isRequest, into: &events)
    }
    if isRequest, !pairing.open.isEmpty, pairing.open[0].request == nil { pairing.tellFinished(into: &events) }
    if isRequest { early.note(chunk) }
    if !upgrade.isEmpty { handOver(chunk, into: &events) }
    return isOver
  }

  private mutating func read(_ chunk: borrowing CitedBytes, _ isRequest: Bool, into events: inout [Event]) {
    tokens.clear()
    if isRequest {
      requests.consume(chunk, into: &tokens)
    } else {
      if pairing.mayHaveLostResponses, !responses.isMessageOpen {
        let passed = pairing.passLostResponses(
          before: chunk.packet, isSearching: responses.isSearching, into: &events)
        if passed > 0 { responses.forgetExpected(passed) }
      }
      pairing.responsesStand = chunk.isAhead ? chunk.released : .none
      responses.consume(chunk, into: &tokens)
    }
    // Where nothing was said of these bytes they are kept, as those of a head are.
    isSteady = !tokens.isEmpty && (isRequest ? request.isSteady : response.isSteady)
    for index in tokens.indices {
      switch tokens[index] {
      case .body(let range, let offset): take(range, offset, isRequest, chunk, into: &events)
      case .chunkSize(let line):
        if isRequest {
          request.beginChunk(line.index, size: line.size)
        } else {
          response.beginChunk(line.index, size: line.size)
        }
      case .chunkEnd(let ended): take(ended, isRequest, chunk.packet, into: &events)
      default:
        isSteady = false
        take(tokens[index], isRequest, into: &events)
      }
    }
  }

  /// Bytes of a body.
  @inline(__always)
  private mutating func take(
    _ range: Range<UInt64>, _ place: UInt64, _ isRequest: Bool, _ chunk: borrowing CitedBytes,
    into events: inout [Event]
  ) {
    if isRequest {
      request.takeBody(range, place, of: chunk)
    } else {
      response.takeBody(range, place, of: chunk)
    }
    noteTurn(isRequest, chunk.released)
    if tellsMoments { tellBody(range, isRequest, chunk, into: &events) }
    if pieces.isTold { tellPieces(isRequest, into: &events) }
  }

  @inline(__always)
  private mutating func take(_ ended: Chunk, _ isRequest: Bool, _ packet: PacketRef, into events: inout [Event]) {
    if isRequest { request.take(ended) } else { response.take(ended) }
    if tellsMoments { tell(.chunks, isRequest, packet, value: 1, into: &events) }
    if pieces.isTold { tellPieces(isRequest, into: &events) }
  }

  /// Neither side speaks HTTP any more, and everything it said is told.
  @inline(__always)
  var isOver: Bool {
    mutating get { pairing.open.isEmpty && requests.isDone && responses.isDone && successor.isEmpty }
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
    tokens.clear()
    if direction == requestDirection { early.expect(nil) }
    if direction == requestDirection {
      let wasOpen = requests.isMessageOpen
      requests.skip(gap: gap.range, isLengthKnown: gap.isLengthKnown, into: &tokens)
      if !wasOpen || !requests.isMessageOpen { pairing.loseRequestEdges() }
    } else {
      let wasOpen = responses.isMessageOpen
      mayHaveUpgraded = !wasOpen && gap.cause != .neverArrived && pairing.awaitsUpgrade
      if mayHaveUpgraded { offer = pairing.open[0].request?.head }
      responses.skip(gap: gap.range, isLengthKnown: gap.isLengthKnown, into: &tokens)
      if !wasOpen || !responses.isMessageOpen {
        pairing.loseResponseEdges(at: gap.packet, isSearching: responses.isSearching)
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
    tokens.clear()
    let isRequest = direction == requestDirection
    pairing.end(end, direction, isRequest: isRequest, isSearching: responses.isSearching)
    if isRequest { requests.finish(end.end, into: &tokens) } else { responses.finish(end.end, into: &tokens) }
    for token in tokens { take(token, isRequest, into: &events) }
    return requests.isDone && responses.isDone && pairing.open.isEmpty
  }

  /// Tells what is still open.
  mutating func close(into events: inout [Event]) {
    let isSearching = responses.isSearching
    if let at = pairing.requestIndex, let message = request.taken() { pairing.open[at].request = message }
    if let message = response.taken() { answer(with: message) }
    pairing.close(isSearching: isSearching, into: &events)
  }

  // MARK: Tokens

  private mutating func take(_ token: HTTP1Token, _ isRequest: Bool, into events: inout [Event]) {
    if isRequest { takeRequest(token, into: &events) } else { takeResponse(token, into: &events) }
    if tellsMoments { tell(token, isRequest, into: &events) }
  }

  private mutating func takeRequest(_ token: HTTP1Token, into events: inout [Event]) {
    switch token {
    case .messageStart(_, let first):
      pairing.beginRequest(at: first)
      request.begin(requestDirection, first)
    case .head(let head):
      request.take(head)
      responses.expect(RequestContext(head))
      early.expect(head.asksForWebSocket || head.namesHTTP2 ? head.span.range.upperBound : nil)
    case .messageEnd(let end):
      guard let message = request.ended(end) else { return }
      pairing.endRequest(message)
      pairing.tellFinished(into: &events)
      pairing.makeRoom(into: &events)
    default:
      guard let stray = request.take(token) else { return }
      events.append(.stray(stray, requestDirection, exchange: ExchangeKey(number: pairing.count)))
    }
  }

  private mutating func takeResponse(_ token: HTTP1Token, into events: inout [Event]) {
    switch token {
    case .messageStart(_, let first):
      response.begin(requestDirection.opposite, first)
      pairing.beginResponse(at: first)
      if !joined.isEmpty {
        pairing.join()
        response.join(joined.value)
        joined.remove()
        events.append(.streamBegan(first))
      }
    case .head(let head):
      response.take(head, expectsEvents: head.status.code == 200 && expectsEvents())
      if !head.isInterim { noteEarlyAnswer() }
      if response.isEventStream { events.append(.streamBegan(response.first)) }
    case .messageEnd(let end):
      guard let message = response.ended(end) else { return }
      answer(with: message)
      pairing.tellFinished(into: &events)
    case .tunnel(let start, _):
      if !upgrade.isEmpty { upgrade.value.start = start } else { passage = start }
      var further: [HTTP1Token] = []
      requests.switchToTunnel(into: &further)
      for token in further { takeRequest(token, into: &events) }
    default:
      guard let stray = response.take(token) else { return }
      events.append(.stray(stray, requestDirection.opposite, exchange: ExchangeKey(number: pairing.count)))
    }
  }

  /// Whether the request that the next response answers asks for an event stream. Mutating, or the dialogue is copied.
  private mutating func expectsEvents() -> Bool {
    guard let asked = pairing.awaited else { return false }
    if let message = pairing.open[asked].request { return message.head?.block.acceptsEvents == true }
    return pairing.open[asked].number == pairing.requestNumber && request.head?.block.acceptsEvents == true
  }

  private mutating func answer(with message: Message) {
    if pairing.passes(message) { return }
    let at = pairing.place(requestFirst: request.first)
    if let opening = WebSocketOpening(pairing.open[at], message, requests: requestDirection) {
      upgrade = Rare(SocketUpgrade(opening: opening, path: pairing.open[at].target))
    }
    pairing.answer(at, with: message)
    if message.status == .switchingProtocols, message.head?.namesHTTP2 == true {
      upgradesToHTTP2 = true
      offer = pairing.open[at].request?.head
      // What the client says next is no request, though the one that offered it be missing.
      pairing.requestsReadTo = .max
    }
  }

  // MARK: Writes that wait

  /// Looks whether this segment of a chunked message waited for the acknowledgement of the one before it.
  @inline(__always)
  private mutating func noteWrite(_ chunk: borrowing CitedBytes, _ direction: Direction, _ isRequest: Bool) {
    guard let write = writes[direction].take(chunk, answered: writes.read(direction.opposite) { $0.last }) else {
      return
    }
    if isRequest {
      if request.isOpen, request.isChunked { request.take(write) }
    } else {
      if response.isOpen, response.isChunked { response.take(write) }
    }
  }

  // MARK: Pauses

  /// Inline, or the dialogue is copied for it.
  @inline(__always)
  func isInBody(_ direction: Direction) -> Bool {
    direction == requestDirection ? request.isInBody : response.isInBody
  }

  /// The body of a direction that is going on.
  func openBody(_ direction: Direction) -> OpenBody? {
    let isRequest = direction == requestDirection
    guard var body = isRequest ? request.openBody : response.openBody else { return nil }
    guard let at = isRequest ? pairing.requestIndex : pairing.awaited else { return body }
    let exchange = pairing.open[at]
    body.key = exchange.key
    if !isRequest, response.isJoined {
      body.title = "(stream already open)"
      return body
    }
    let isBeingAsked = exchange.number == pairing.requestNumber
    body.title = (exchange.request?.head ?? (isBeingAsked ? request.head : nil))?.requestTitle ?? ""
    return body
  }

  mutating func take(_ pause: inout StreamPause) {
    let isRequest = pause.direction == requestDirection
    if let at = isRequest ? pairing.requestIndex : pairing.awaited { pause.exchange = pairing.open[at].key }
    if isRequest { request.take(pause) } else { response.take(pause) }
  }

  // MARK: Two bodies at once

  /// The request whose body is being sent is the one whose response is being sent, or nil: with pipelining, the bodies
  /// of two exchanges say nothing of each other.
  private var sharedExchange: Int? {
    guard request.isOpen, pairing.open.count == 1, pairing.open[0].request == nil, pairing.open[0].response == nil
    else {
      return nil
    }
    return 0
  }

  private mutating func noteEarlyAnswer() {
    guard let at = sharedExchange else { return }
    pairing.open[at].requestBytesAtResponse = request.bodyBytes
  }

  /// Counts how often the two bodies take turns.
  @inline(__always)
  private mutating func noteTurn(_ isRequest: Bool, _ packet: PacketRef) {
    guard request.isOpen, response.isOpen else { return }
    countTurn(isRequest, packet)
  }

  private mutating func countTurn(_ isRequest: Bool, _ packet: PacketRef) {
    guard let at = sharedExchange else { return }
    pairing.open[at].interleaving.take(isRequest, packet)
  }
}

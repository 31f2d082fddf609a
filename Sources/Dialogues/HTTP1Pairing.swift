import Citation
import Events

/// Which response answers which request on a connection of HTTP/1.
///
/// Responses answer requests in their order (RFC 9112 §9.3.2). An exchange is told when both its messages are over, and
/// after those before it; what is still open when the connection ends is told then, with the reason it is unfinished.
///
/// Where the capture lacks bytes, the order alone would pair a response with the wrong request; then the packets decide
/// (see Lost messages below): a response answers no request that was sent after it, and a request that was followed by
/// another one, with a hole between, has had its response in the hole.
///
/// Bounded: of more than `limit` exchanges, or of requests that take more than `byteLimit`, the oldest are told before
/// their responses, which are then passed over.
///
/// Invariant: `open` is in the order of requests; the first without a final response is the one that the next response
/// answers.
struct HTTP1Pairing: Sendable {
  /// Responses without request that wait for it.
  private static let waitingLimit = 32
  /// How many packets a request may stand behind its response.
  private static let disorder: UInt64 = 8

  private static let limit = 4_096
  private static let byteLimit = 4 << 20

  var open = ExchangeQueue()
  /// What the requests of `open` hold in memory.
  private var requestBytes = 0
  /// Final responses that are still to come to requests that were told without them.
  private var unawaited = 0
  /// The latest packet in which a request of `open` began: no response of a later one comes before any of them.
  private var latestRequest: UInt64 = 0
  /// A response of `open` came without a request that it answers, and may get one yet.
  private var hasRequestless = false
  private(set) var count: Int
  /// The number of the exchange whose request is being read.
  private(set) var requestNumber: Int?
  private var connectionEnd: DirectionEnd?
  private var sideEnds = BothDirections<SideEnd?>(repeating: nil)
  /// The last packet before or at which responses are missing from the capture, while it matters.
  private var responseHole: PacketRef?
  /// The hole behind which the next response is still looked for: what is passed over may be the answer of a request that
  /// was sent meanwhile.
  private var searchedHole: PacketRef?
  /// What is looked for among the responses is looked for behind a hole; and was not found to the end.
  private var isBehindHole = false
  private var lacksLastResponses = false
  /// A hole in either direction may have held the edge of a message.
  private var lacksEdges = false
  /// How far the requests are read: a response of a later packet that answers none may answer one that is still to come,
  /// because it waits behind a hole.
  var requestsReadTo: UInt64 = 0
  /// Where the bytes of responses that are being read stand among the requests, if not where their packet does; and where
  /// the response began that they belong to.
  var responsesStand = PacketRef.none
  private var responseBegan = PacketRef.none

  /// `count` exchanges were told of the connection before.
  init(after count: Int) {
    self.count = count
  }

  /// The exchange whose request is being read.
  var requestIndex: Int? {
    guard let requestNumber else { return nil }
    return open.lastIndex { $0.number == requestNumber && $0.request == nil }
  }

  /// The exchange that the next response answers.
  var awaited: Int? { open.firstIndex { $0.response == nil } }

  /// All that is unanswered is one request, which offers to go on with HTTP/2.
  var awaitsUpgrade: Bool {
    guard requestNumber == nil, open.count == 1, open[0].response == nil else { return false }
    guard let request = open[0].request, request.bodyBytes == 0 else { return false }
    return request.head?.namesHTTP2 == true
  }

  mutating func countHeld() -> Int { requestBytes + open.count * MemoryLayout<ExchangeRecord>.stride * 2 }

  // MARK: Bounds

  /// Tells the oldest where there are too many.
  mutating func makeRoom(into events: inout [Event]) {
    while open.count > Self.limit || requestBytes > Self.byteLimit, let first = open.first,
      first.number != requestNumber
    {
      var oldest = removeFirst()
      if oldest.response == nil {
        unawaited += 1
        oldest.end.cause = .connection(.evicted)
      }
      oldest.end.sides = sideEnds
      events.append(.exchange(oldest))
    }
  }

  private mutating func removeFirst() -> ExchangeRecord {
    let first = open.removeFirst()
    forget(first)
    return first
  }

  private mutating func forget(_ exchange: ExchangeRecord) {
    requestBytes -= exchange.request?.heldBytes ?? 0
  }

  /// Whether a response belongs to a request that was told without it.
  mutating func passes(_ message: Message) -> Bool {
    guard unawaited > 0 else { return false }
    if message.head?.isInterim != true { unawaited -= 1 }
    return true
  }

  // MARK: Messages

  mutating func beginRequest(at first: PacketRef) {
    latestRequest = Swift.max(latestRequest, first.number)
    guard !beginsAnswered(first) else { return }
    count += 1
    open.append(ExchangeRecord(ExchangeKey(number: count)))
    open[open.count - 1].isPairingUnsure = lacksEdges
    requestNumber = count
  }

  /// A response that was being sent when the capture began. What it answers was asked before, and does not come.
  mutating func join() {
    count += 1
    open.append(ExchangeRecord(ExchangeKey(number: count)))
  }

  mutating func endRequest(_ message: Message) {
    if let at = requestIndex {
      open[at].request = message
      open[at].noteCall(in: message)
      requestBytes += message.heldBytes
    }
    requestNumber = nil
  }

  mutating func beginResponse(at first: PacketRef) {
    searchedHole = nil
    responseBegan = responsesStand.number > first.number ? responsesStand : first
  }

  /// Gives the response that was read to the request it answers: none that was sent after it began. `requestFirst` is the
  /// packet of the request being read. Answers where the exchange stands, as it was before.
  mutating func place(requestFirst: PacketRef) -> Int {
    let began = responseBegan
    let later =
      latestRequest <= began.number
      ? nil
      : open.firstIndex { exchange in
        !Self.isBefore(
          exchange.request?.first ?? (exchange.number == requestNumber ? requestFirst : .none), began)
      }
    if let at = open[..<(later ?? open.count)].firstIndex(where: { $0.response == nil }) { return at }
    count += 1
    let at = later ?? open.count
    hasRequestless = true
    open.insert(ExchangeRecord(ExchangeKey(number: count)), at: at)
    return at
  }

  mutating func answer(_ at: Int, with message: Message) {
    if lacksEdges { open[at].isPairingUnsure = true }
    open[at].noteCall(in: message)
    if message.head?.isInterim == true { open[at].add(interim: message) } else { open[at].response = message }
  }

  // MARK: Ends

  /// `isRequest` where it is the direction of the requests; `isSearching` while the next response is looked for.
  mutating func end(_ end: SideEnd, _ direction: Direction, isRequest: Bool, isSearching: Bool) {
    if isRequest { requestsReadTo = .max }
    if !isRequest, isBehindHole, isSearching { lacksLastResponses = true }
    if connectionEnd == nil || !isRequest { connectionEnd = end.end }
    sideEnds[direction] = end
  }

  /// Tells the exchanges that are over, in order.
  mutating func tellFinished(into events: inout [Event]) {
    while !open.isEmpty, let response = open[0].response, response.end != nil, isOver(open[0], response) {
      open[0].end.sides = sideEnds
      events.append(.exchange(removeFirst()))
    }
  }

  private func isOver(_ exchange: ExchangeRecord, _ response: Message) -> Bool {
    if exchange.request != nil { return exchange.request?.end != nil }
    if response.joined != nil { return true }
    guard exchange.number != requestNumber else { return false }
    return requestsReadTo > response.first.number || open.count > Self.waitingLimit
  }

  /// Tells what is still open.
  mutating func close(isSearching: Bool, into events: inout [Event]) {
    if isBehindHole, isSearching { lacksLastResponses = true }
    for var exchange in open {
      if let connectionEnd { exchange.end.cause = .connection(connectionEnd) }
      if let request = exchange.request { exchange.noteCall(in: request) }
      exchange.isResponseMissing = exchange.response == nil && (responseHole != nil || lacksLastResponses)
      exchange.end.sides = sideEnds
      events.append(.exchange(exchange))
    }
    open.removeAll()
    requestBytes = 0
  }

  // MARK: Lost messages

  var mayHaveLostResponses: Bool { responseHole != nil || searchedHole != nil }

  mutating func loseRequestEdges() { lacksEdges = true }

  mutating func loseResponseEdges(at packet: PacketRef, isSearching: Bool) {
    responseHole = packet
    unawaited = 0
    isBehindHole = isSearching
    lacksEdges = true
  }

  /// Before response bytes that follow a hole: requests whose responses the hole holds are told without. Of several
  /// requests after the hole's first packet the last one is answered: a client that waits for each answer is usual, and
  /// one that does not is rare. A request whose own packet acknowledges the hole was sent after it. Answers how many
  /// responses the hole holds.
  mutating func passLostResponses(before packet: PacketRef, isSearching: Bool, into events: inout [Event]) -> Int {
    guard let hole = responseHole ?? searchedHole else { return 0 }
    let sent = { (exchange: ExchangeRecord) in exchange.request?.first ?? exchange.first }
    guard
      let next = open.lastIndex(where: { exchange in
        exchange.response == nil && sent(exchange).number >= hole.number && sent(exchange).number < packet.number
      })
    else { return 0 }
    responseHole = nil
    searchedHole = isSearching ? hole : nil
    let passed = open[..<next].filter { $0.response == nil }
    for var exchange in passed where exchange.request?.end != nil {
      exchange.isResponseMissing = true
      exchange.end.sides = sideEnds
      forget(exchange)
      events.append(.exchange(exchange))
    }
    open.removeAll { exchange in passed.contains { $0.number == exchange.number && exchange.request?.end != nil } }
    return passed.count
  }

  /// In the file, or by its time: a capture of several threads or interfaces may hold a response before its request.
  static func isBefore(_ request: PacketRef, _ response: PacketRef) -> Bool {
    request.number <= response.number
      || request.number - response.number <= disorder && request.time <= response.time
  }

  /// Whether a request that is told late, because a hole before it was waited for, has its response already.
  private mutating func beginsAnswered(_ first: PacketRef) -> Bool {
    if open.isEmpty { hasRequestless = false }
    guard hasRequestless,
      let at = open.firstIndex(where: { exchange in
        exchange.request == nil && exchange.number != requestNumber
          && exchange.response.map { Self.isBefore(first, $0.first) } ?? false
      })
    else { return false }
    requestNumber = open[at].number
    return true
  }
}

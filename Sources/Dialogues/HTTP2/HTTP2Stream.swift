import Citation
import Events
import HTTP2
import HTTP2Semantics
import HTTPSemantics

/// One stream: a request and what answers it, while they are read.
struct HTTP2Stream: Sendable {
  var exchange: ExchangeRecord
  private let requestDirection: Direction
  private var request = HTTP2Message()
  private var response = HTTP2Message()
  private var hasEnded = BothMessages(request: false, response: false)
  private var missing = BothMessages<UInt64>(request: 0, response: 0)
  /// Bytes are missing that may have been of it, how many or none.
  private var hasHole = BothMessages(request: false, response: false)
  /// Which sides have said that nothing more of theirs comes: by END_STREAM, or by a reset.
  private(set) var sentEnds = BothDirections(repeating: false)
  /// What its field sections take.
  var fieldBytes = 0
  var ways = BothDirections(repeating: Way())
  var held = Rare<BothDirections<CreditRecord>>()
  /// Silence of the connection since the last data of a body.
  private var explainedSilence = BothMessages<Int64>(request: 0, response: 0)
  /// The last packet of the stream before the one at hand.
  private(set) var last = PacketRef.none

  /// One value for each message.
  private struct BothMessages<Value: Sendable>: Sendable {
    var request: Value
    var response: Value

    subscript(isRequest: Bool) -> Value {
      get { isRequest ? request : response }
      set { if isRequest { request = newValue } else { response = newValue } }
    }
  }

  init(_ key: ExchangeKey, _ requestDirection: Direction) {
    exchange = ExchangeRecord(key)
    self.requestDirection = requestDirection
  }

  mutating func countHeld() -> Int {
    var sum = MemoryLayout<HTTP2Stream>.stride + exchange.heldBytes + request.countHeld() + response.countHeld()
    if !socket.isEmpty { sum += socket.heldBytes + socket.value.countHeld() }
    for direction in Direction.allCases { sum += ways[direction].credit.courseBytes }
    return sum
  }

  /// Lets go of what undoes content codings.
  mutating func dropContent() {
    request.dropContent()
    response.dropContent()
    if !socket.isEmpty { socket.value.dropContent() }
  }

  /// What it carries since a CONNECT for WebSocket was accepted.
  var socket = Rare<WebSocketDialogue>()

  /// The heads that open one.
  mutating func socketHeads() -> (asked: MessageHead, answer: MessageHead)? {
    guard socket.isEmpty, let answer = response.head, 200..<300 ~= answer.status.code,
      let asked = exchange.request?.head ?? request.head, asked.block.value(":protocol") == "websocket"
    else { return nil }
    return (asked, answer)
  }

  func bodyBytes(isRequest: Bool) -> UInt64 { isRequest ? request.bodyBytes : response.bodyBytes }

  var id: UInt32 { exchange.key.stream ?? 0 }
  private var lacksRequest: Bool { !request.isOpen && exchange.request == nil }

  mutating func noteEnd(_ direction: Direction) { sentEnds[direction] = true }

  // Asked for each frame or message, and mutating: to ask an element of an array for one of two values, or to let it look
  // at itself, copies the element.

  /// Nothing more of it comes. A request that nobody saw was sent before its response.
  mutating func isOver() -> Bool { hasEnded.response && (hasEnded.request || lacksRequest) }

  /// The last packet of the response to a request that was not read.
  mutating func answeredUnread() -> UInt64? { lacksRequest ? exchange.response?.last.number : nil }

  mutating func hasSocket() -> Bool { !socket.isEmpty }

  /// It has been told, and its place is kept for another one: so that it holds nothing of what was told.
  mutating func leave() -> (id: UInt32, ends: BothDirections<Bool>, fieldBytes: Int) {
    let left = (id, sentEnds, fieldBytes)
    exchange = ExchangeRecord(exchange.key, of: Self.nothing)
    held.remove()
    return left
  }

  private static let nothing = ExchangeRecord(ExchangeKey(number: 0, stream: nil))

  mutating func hasSentEnd(_ direction: Direction) -> Bool { sentEnds[direction] }

  /// What is wrong with a frame of its message, by what came before.
  @inline(__always)
  mutating func flaw(of type: HTTP2FrameType, _ direction: Direction, isRequest: Bool) -> HTTP2Fault.Kind? {
    if sentEnds[direction] { return .afterEnd }
    return type == .data && !hasHead(isRequest: isRequest) ? .dataBeforeHead : nil
  }

  /// Takes what a frame needs from the window, and answers what was left of it before.
  @inline(__always)
  mutating func spendWindow(_ length: UInt32, _ direction: Direction) -> Int64 { ways[direction].spend(length) }

  /// Adds to the window, and answers what it is then.
  mutating func widenWindow(_ increment: UInt32, _ direction: Direction) -> Int64 {
    ways[direction].window += Int64(increment)
    return ways[direction].window
  }

  /// Its message of a direction began before that time, and is not over.
  func isSending(_ direction: Direction, before time: Int64, isRequest: Bool) -> Bool {
    guard !sentEnds[direction], isRequest ? request.isInBody : response.isInBody else { return false }
    return (isRequest ? request.first : response.first).time.nanoseconds < time
  }

  func lastBody(isRequest: Bool) -> PacketRef? { isRequest ? request.lastBody : response.lastBody }

  func explained(isRequest: Bool) -> Int64 { explainedSilence[isRequest] }

  /// The whole direction was silent.
  mutating func takeShared(_ pause: StreamPause, isRequest: Bool) {
    explainedSilence[isRequest] &+= pause.nanoseconds
    take(pause, isRequest: isRequest)
  }

  mutating func hasHead(isRequest: Bool) -> Bool {
    if hasEnded[isRequest] { return true }
    return isRequest ? request.head != nil || exchange.request != nil : response.head != nil
  }

  // MARK: Heads

  /// Answers whether it is an interim response, which is over with its head. Where the beginning of the connection is
  /// missing, a block that ends its stream and names neither method nor status is the trailers of a head before it.
  mutating func takeBlock(
    _ fields: HeaderBlock, _ block: HTTP2Block, isKnown: Bool, _ direction: Direction, isRequest: Bool, isWhole: Bool,
    _ options: DialogueOptions
  ) -> Bool {
    last = block.released
    guard !hasEnded[isRequest] else { return false }
    if isRequest ? request.head != nil : response.head != nil {
      if isRequest { request.take(trailers: fields) } else { response.take(trailers: fields) }
      return false
    }
    if !isWhole, isKnown || fields.endsCall, block.endsStream, block.promised == nil, !fields.fields.isEmpty,
      fields.first(isRequest ? ":method" : ":status") == nil
    {
      if isRequest {
        request.begin(direction, block.span.first, isMetered: true, options)
        request.take(trailers: fields)
      } else {
        response.begin(direction, block.span.first, isMetered: false, options)
        response.take(trailers: fields)
      }
      return false
    }
    let head = MessageHead(http2: fields, block, isRequest: isRequest)
    if isRequest {
      request.begin(direction, block.span.first, isMetered: true, options)
      request.take(head)
      return false
    }
    response.begin(direction, block.span.first, isMetered: false, options)
    response.take(head, expectsEvents: head.status.code == 200 && asksForEvents)
    if !head.isInterim, request.isOpen { exchange.requestBytesAtResponse = request.bodyBytes }
    return head.isInterim
  }

  private var asksForEvents: Bool {
    (exchange.request?.head ?? request.head ?? exchange.upgraded)?.block.acceptsEvents == true
  }

  /// The head that was read last, of a message that is open.
  func newestHead(isRequest: Bool) -> MessageHead? { isRequest ? request.head : response.head }

  // MARK: Bodies

  @inline(__always)
  mutating func takeBody(_ range: Range<UInt64>, of chunk: borrowing CitedBytes, isRequest: Bool) {
    last = chunk.released
    explainedSilence[isRequest] = 0
    if isRequest {
      request.takeBody(range, of: chunk)
    } else {
      response.takeBody(range, of: chunk)
    }
    if request.isOpen, response.isOpen { exchange.interleaving.take(isRequest, chunk.released) }
  }

  /// In its place: a copy of what is known of items is large.
  private static func call(in message: Message?) -> GRPCRecord.Side? {
    guard let message, message.itemKind == .grpc else { return nil }
    return message.record.$stream.value.call
  }

  /// The exchange as it is told.
  mutating func finished() -> ExchangeRecord {
    if let type = exchange.request?.head?.block.grpcType {
      var record = GRPCRecord()
      record.isWeb = type != .plain
      if let call = Self.call(in: exchange.request) { record.sides[requestDirection] = call }
      if let call = Self.call(in: exchange.response) { record.sides[requestDirection.opposite] = call }
      exchange.grpc = record
    }
    for direction in Direction.allCases { endCredit(direction, at: last, isGivenUp: false) }
    if !held.isEmpty { exchange.credit = held.value }
    return exchange
  }

  @inline(__always)
  mutating func takeFrame(_ bytes: UInt32, padding: UInt32, _ packet: PacketRef, isRequest: Bool) {
    if isRequest {
      request.takeFrame(bytes, padding: padding, packet)
    } else {
      response.takeFrame(bytes, padding: padding, packet)
    }
  }

  mutating func tellPieces(isRequest: Bool, of exchange: ExchangeKey, into events: inout [Event]) {
    if isRequest {
      request.tellPieces(of: exchange, into: &events)
    } else {
      response.tellPieces(of: exchange, into: &events)
    }
  }

  /// Bytes are missing: so many, where that is known.
  mutating func lose(_ count: UInt64, isRequest: Bool) {
    guard !hasEnded[isRequest] else { return }
    if isRequest { request.miss(count) } else { response.miss(count) }
    missing[isRequest] &+= count
    hasHole[isRequest] = true
  }

  // MARK: Ends

  mutating func endMessage(isRequest: Bool, offset: UInt64, packet: PacketRef, released: PacketRef) {
    guard !hasEnded[isRequest] else { return }
    last = released
    end(.complete, isRequest, offset: offset, packet: packet, released: released)
  }

  mutating func end(
    _ outcome: MessageEnd.Outcome, _ isRequest: Bool, offset: UInt64, packet: PacketRef, released: PacketRef
  ) {
    let bodyBytes = isRequest ? request.bodyBytes : response.bodyBytes
    var end = MessageEnd(
      outcome, offset: offset, packet: packet, released: released, bodyBytes: bodyBytes,
      missingBytes: missing[isRequest])
    end.hasHole = hasHole[isRequest]
    if isRequest {
      hasEnded.request = true
      if let message = request.ended(end) { exchange.request = message }
    } else if let message = response.ended(end) {
      if message.head?.isInterim == true, outcome == .complete {
        exchange.add(interim: message)
      } else {
        hasEnded.response = true
        exchange.response = message
      }
    }
  }

  /// A side reset it.
  mutating func reset(_ frame: HTTP2Frame, _ code: HTTP2ErrorCode, _ direction: Direction) {
    var closing = Ending()
    closing.by = direction
    closing.at = frame.span.last
    closing.firstEnd = frame.span.last
    closing.firstBy = direction
    closing.lastEnd = frame.span.last
    closing.silentSince = last.number > 0 ? last : nil
    last = frame.released
    for each in Direction.allCases { endCredit(each, at: frame.span.last, isGivenUp: true) }
    sentEnds[direction] = true
    exchange.end.closing = closing
    exchange.end.cause = code == .refusedStream ? .refusal(code: code.rawValue) : .reset(code: code.rawValue)
    for each in Direction.allCases { exchange.end.sides[each] = SideEnd(.reset, frame.span.last) }
    breakOff(.reset, frame.span.range.lowerBound, frame.span.last)
  }

  /// The connection ended in a direction.
  mutating func cut(_ end: SideEnd, _ direction: Direction, isRequest: Bool) {
    exchange.end.sides[direction] = end
    guard !hasEnded[isRequest], isRequest ? request.isOpen : response.isOpen else { return }
    endCredit(direction, at: end.packet, isGivenUp: end.end == .fin || end.end == .reset)
    exchange.end.cause = .connection(end.end)
    self.end(
      .incomplete(Incomplete(cause(end.end, isRequest), in: .body)), isRequest, offset: 0, packet: end.packet,
      released: end.packet)
  }

  /// The connection is over.
  mutating func close(_ side: SideEnd?) {
    let end = side?.end
    if !isOver(), let end, exchange.end.cause == .messages { exchange.end.cause = .connection(end) }
    if let side, side.end == .fin || side.end == .reset {
      for each in Direction.allCases { endCredit(each, at: side.packet, isGivenUp: true) }
    }
    breakOff(end ?? .evicted, 0, last)
  }

  private mutating func breakOff(_ end: DirectionEnd, _ offset: UInt64, _ packet: PacketRef) {
    for isRequest in [true, false] where !hasEnded[isRequest] && (isRequest ? request.isOpen : response.isOpen) {
      self.end(
        .incomplete(Incomplete(cause(end, isRequest), in: .body)), isRequest, offset: offset, packet: packet,
        released: packet)
    }
    // One in a hole was not captured.
    exchange.isResponseMissing = exchange.response == nil && hasHole.response
  }

  private func cause(_ end: DirectionEnd, _ isRequest: Bool) -> Incomplete.Cause {
    if hasHole[isRequest] { return .gap }
    return switch end {
    case .fin: .fin
    case .reset: .reset
    case .evicted: .evicted
    case .captureEnded: .captureEnded
    }
  }

  // MARK: Pauses

  func isInBody(isRequest: Bool) -> Bool { isRequest ? request.isInBody : response.isInBody }

  func openBody(_ direction: Direction, isRequest: Bool) -> OpenBody? {
    let plain = isRequest ? request.openBody : response.openBody
    guard var body = socket.isEmpty ? plain : socket.value.openBody(direction) else { return nil }
    body.key = exchange.key
    body.title = (exchange.request?.head ?? request.head)?.requestTitle ?? ""
    return body
  }

  mutating func take(_ pause: StreamPause, isRequest: Bool) {
    if isRequest { request.take(pause) } else { response.take(pause) }
  }
}

extension MessageHead {
  /// The head that a header block is. What it does not name is empty.
  fileprivate convenience init(http2 fields: HeaderBlock, _ block: HTTP2Block, isRequest: Bool) {
    let bytes = fields.bytes
    let line: StartLine
    if isRequest {
      let method = fields.first(":method")?.value ?? 0..<0
      let target = fields.first(":path") ?? fields.first(":authority")
      line = .request(method: Method(bytes.span, method), name: method, target: target?.value ?? 0..<0)
    } else {
      let code = fields.first(":status").flatMap { UInt16(fields.value($0)) } ?? 0
      line = .response(status: Status(code), reason: 0..<0)
    }
    let hasBody = !block.endsStream && block.promised == nil
    self.init(
      line: line, version: .http2, block: fields, span: block.span, released: block.released,
      framing: hasBody ? .stream : .none, reason: .endOfStream)
  }
}

extension HeaderBlock {
  /// Trailers of gRPC, though an entry of theirs be unknown: a head has more than two fields, its status and its type
  /// among them.
  fileprivate var endsCall: Bool {
    fields.count <= 2 && (first("grpc-status") != nil || first("grpc-message") != nil)
  }
}

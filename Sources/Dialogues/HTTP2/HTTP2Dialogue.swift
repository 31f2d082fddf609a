import Citation
import Events
import HPACK
import HTTP2
import HTTP2Semantics
import HTTPSemantics

/// The exchanges of an HTTP/2 connection: each stream with a request is one, and several go on at a time.
///
/// It reads the frames of both directions and decodes header blocks in their order, whatever becomes of their streams,
/// because each may change the table that the next one refers to. A stream (HTTP2Stream) is what its messages are made
/// of; when it is over, its exchange is told and it is forgotten.
///
/// Memory: what the parsers hold, and HTTP2StreamTable.limit streams that are not over, with field sections of 8 MiB
/// together. Beyond that the oldest is told as it stands.
struct HTTP2Dialogue: Sendable {
  /// How it came to HTTP/2 on this connection.
  typealias Beginning = HTTP2Record.Beginning

  /// Turned around where the first block shows that it is the other way.
  var requestDirection: Direction
  var options: DialogueOptions
  var sides: BothDirections<HTTP2Side>
  var table = HTTP2StreamTable()
  var record: HTTP2Record
  private var tokens: [HTTP2Token] = []
  private var tokenRoom = ArrayRoom()
  /// Exchanges that were begun, and those of the connection before.
  var count: Int
  var isTurned = false
  /// Every frame of both sides was seen: what nobody saw is not there.
  private(set) var isWhole: Bool
  /// An upgrade of HTTP/1 opened the first stream, or may have done so before the capture began.
  let mayFollowUpgrade: Bool
  /// Of the connection that carries it, as far as it is known.
  var roundTrip = RoundTrip()
  var places = HTTP2Places()
  private var hasEnded = false
  /// The last packet of the client that was read. What answers is read before, where the client's bytes wait behind a hole.
  var requestsReadTo: UInt64 = 0
  /// A response is kept until its request is read, or is not there.
  var hasAwaited = false
  var suspicions: [Suspicion] = []
  /// Frames of a direction were told; and the newest frame of both, where that is a WINDOW_UPDATE: in a download nearly all
  /// that are told would be these, and what they say is in the records.
  private var hasTold = BothDirections(repeating: false)
  private var untold = Rare<Untold>()

  private struct Untold: Sendable {
    var frame: HTTP2Frame
    var direction: Direction
  }

  init(
    requests direction: Direction, _ beginning: Beginning, _ options: DialogueOptions, isJoined: Bool = false
  ) {
    requestDirection = direction
    mayFollowUpgrade = isJoined || beginning == .upgrade
    self.options = options
    count = options.exchangesBefore
    record = HTTP2Record(beginning)
    let isLate = beginning == .midstream
    isWhole = !isLate
    sides = BothDirections(repeating: HTTP2Side(.frame, startsAnywhere: isLate))
    if !isLate {
      sides[direction] = HTTP2Side(.preface, startsAnywhere: false)
      sides[direction.opposite] = HTTP2Side(isJoined ? .lateSettings : .settings, startsAnywhere: false)
    }
    if options.drawsWindows { for each in Direction.allCases { sides[each].credit.draw() } }
  }

  /// Field sections that it took since it was counted. Each begins something that is kept: an exchange, a message, the
  /// reader of its items.
  var sections = 0
  var hasGrown: Bool { sections >= 4 }

  mutating func countHeld() -> Int {
    sections = 0
    return table.countHeld() + sides.toServer.countHeld() + sides.toClient.countHeld()
      + tokenRoom.held(HTTP2Token.self)
  }

  /// Lets go of what undoes content codings, and where that is not enough tells the oldest streams as they stand.
  mutating func shed(to bytes: Int, into events: inout [Event]) {
    for at in table.inOrder { table.streams[at].dropContent() }
    while countHeld() > bytes, !table.isEmpty {
      for oldest in Array(table.inOrder.prefix(max(1, table.count / 4))) { giveUp(oldest, into: &events) }
    }
  }

  func isRequest(_ direction: Direction) -> Bool { direction == requestDirection }

  // MARK: Bytes

  mutating func consume(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    let (isOpening, isLost) = sides.ask(direction) { ($0.isOpening, $0.parser.isLost) }
    if isOpening { sides[direction].open(chunk) }
    if !suspicions.isEmpty { settle(direction, before: chunk.packet.number, into: &events) }
    if isLost { return search(chunk, direction, into: &events) }
    var position = 0
    while let data = sides[direction].parser.nextData(chunk, &position) {
      take(data, of: chunk, direction, into: &events)
    }
    if position < chunk.bytes.count { read(chunk.slice(position..<chunk.bytes.count), direction, into: &events) }
    if isRequest(direction) { readRequests(to: chunk.packet.number, into: &events) }
  }

  /// Whatever it is.
  private mutating func read(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    sides[direction].parser.consume(chunk, into: &tokens)
    readTokens(of: chunk, direction, into: &events)
    // Behind what is no frame, the next frames are looked for in what follows.
    if sides.ask(direction, { $0.parser.isLost }) { sides[direction].search = Rare(HTTP2Search()) }
  }

  /// Looks for frames that follow each other, and reads on from there.
  private mutating func search(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    sides[direction].search.make(HTTP2Search())
    guard let found = sides[direction].search.value.take(chunk, largest: sides[direction].parser.maxFrameSize) else {
      return
    }
    sides[direction].search.remove()
    sides[direction].parser.resume()
    for held in found { consume(held.chunk, direction, into: &events) }
  }

  private mutating func readTokens(
    of chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) {
    // Out of here meanwhile, so that all else may change.
    var tokens: [HTTP2Token] = []
    swap(&tokens, &self.tokens)
    for index in tokens.indices {
      if case .body(let stream, let range) = tokens[index] {
        takeBody(range, of: chunk, stream, direction, into: &events)
      } else {
        take(tokens[index], direction, into: &events)
      }
    }
    if tokens.count <= 64 {
      tokenRoom.note(tokens.count)
      tokens.clear()
    } else {
      tokenRoom.letGo()
      tokens = []
    }
    swap(&tokens, &self.tokens)
  }

  mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event]) {
    if gap.isLengthKnown {
      sides[direction].parser.skip(gap: gap.range, into: &tokens)
    } else {
      sides[direction].parser.lose(gap.range, into: &tokens)
    }
    sides[direction].search.remove()
    sides[direction].noteHole(at: gap.packet)
    let told = tokens
    tokens.removeAll()
    for token in told { take(token, direction, into: &events) }
  }

  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    sides[direction].parser.finish(end.end, into: &tokens)
    let told = tokens
    tokens.removeAll()
    for token in told { take(token, direction, into: &events) }
    sides[direction].end = end
    settle(direction, before: .max, into: &events)
    if isRequest(direction) { readRequests(to: .max, into: &events) }
    if !hasEnded {
      hasEnded = true
      endCredit()
    }
    for at in table.inOrder {
      table.streams[at].cut(end, direction, isRequest: isRequest(direction))
      tellIfOver(at, into: &events)
    }
    // Behind a FIN of each side there is nothing to read; a reset may be none.
    if sides.toServer.end?.end == .fin, sides.toClient.end?.end == .fin {
      table.finish()
      for direction in Direction.allCases { sides[direction].finish() }
    }
  }

  /// Tells what is still open.
  mutating func close(into events: inout [Event]) {
    if !hasEnded { endCredit() }
    for at in table.inOrder {
      table.streams[at].close(sides.toServer.end ?? sides.toClient.end)
      tell(at, into: &events)
    }
    for direction in Direction.allCases {
      settle(direction, before: .max, into: &events)
      sides[direction].held.end()
      record.held.add(sides[direction].held.record)
      record.sides[direction] = sides[direction].record
    }
    if !untold.isEmpty {
      events.append(.http2Frame(untold.value.frame, untold.value.direction, key(of: untold.value.frame)))
    }
    events.append(.http2Closed(record))
  }

  // MARK: Tokens

  mutating func take(_ token: HTTP2Token, _ direction: Direction, into events: inout [Event]) {
    switch token {
    case .frame(let frame):
      read(frame, direction, into: &events)
      if frame.type != .data, frame.type != .continuation { tell(frame, direction, into: &events) }
    case .block(let block): take(block, direction, into: &events)
    case .bodyLost(let stream, let count):
      isWhole = false
      guard let at = table.index(of: stream) else { return }
      loseSocket(at, count, direction, into: &events)
      table.streams[at].lose(count, isRequest: isRequest(direction))
    case .lost:
      isWhole = false
      sides[direction].decoder.lose()
      for at in table.inOrder {
        loseSocket(at, 0, direction, into: &events)
        table.streams[at].lose(0, isRequest: isRequest(direction))
      }
    case .fault(let fault): events.append(.http2Fault(fault, direction, key(of: fault.frame)))
    case .preface, .opaque, .body: break
    }
  }

  @inline(__always)
  mutating func take(
    _ data: HTTP2Data, of chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]
  ) {
    if !data.range.isEmpty { takeBody(data.range, of: chunk, data.stream, direction, into: &events) }
    if let frame = data.frame { read(frame, direction, into: &events) }
  }

  private mutating func read(_ data: HTTP2DataFrame, _ direction: Direction, into events: inout [Event]) {
    sides[direction].count(data)
    if isWhole { judge(data, direction, into: &events) }
    guard let at = table.index(of: data.stream) else { return }
    table.streams[at].takeFrame(
      data.content, padding: data.padding, data.released, isRequest: isRequest(direction))
    if data.endsStream { end(at, by: data.span, data.released, direction, into: &events) }
  }

  private mutating func read(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    if let data = HTTP2DataFrame(frame) { return read(data, direction, into: &events) }
    sides[direction].record.count(frame.type)
    if frame.stream > 0, frame.released.number > frame.span.last.number {
      sides[direction].held.note(frame.stream, frame.length, last: frame.span.last, frame.released)
    }
    judge(frame, direction, into: &events)
    take(frame, direction, into: &events)
  }

  private mutating func tell(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    if frame.type == .windowUpdate, hasTold[direction] {
      untold = Rare(Untold(frame: frame, direction: direction))
      return
    }
    untold.remove()
    hasTold[direction] = true
    events.append(.http2Frame(frame, direction, key(of: frame)))
  }

  func key(of frame: HTTP2Frame) -> ExchangeKey? {
    frame.stream == 0 ? nil : table.index(of: frame.stream).map { table.streams[$0].exchange.key }
  }

  @inline(__always)
  private mutating func takeBody(
    _ range: Range<UInt64>, of chunk: borrowing CitedBytes, _ stream: UInt32, _ direction: Direction,
    into events: inout [Event]
  ) {
    guard let at = table.index(of: stream) else { return }
    let isRequest = isRequest(direction)
    tellSilence(at, chunk.released, range.upperBound - range.lowerBound, direction, into: &events)
    if !table.streams[at].socket.isEmpty { takeSocket(range, of: chunk, at, direction, into: &events) }
    table.streams[at].takeBody(range, of: chunk, isRequest: isRequest)
    if options.tellsMoments, table.streams[at].socket.isEmpty {
      var entry = TimelineEntry(.body, direction, chunk.packet, bytes: range.upperBound - range.lowerBound)
      entry.exchange = table.streams[at].exchange.number
      events.append(.moment(entry))
    }
    if options.pieces.isTold { tellPieces(at, isRequest: isRequest, into: &events) }
  }

  /// Tells what the bytes just read completed.
  private mutating func tellPieces(_ at: Int, isRequest: Bool, into events: inout [Event]) {
    let key = table.streams[at].exchange.key
    table.streams[at].tellPieces(isRequest: isRequest, of: key, into: &events)
  }

  mutating func take(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    switch frame.payload {
    case .reset(let code): reset(frame, code, direction, into: &events)
    case .settings(let settings):
      guard !frame.isAcknowledgement else { return acknowledge(direction, in: frame.released) }
      announce(settings, direction, in: frame.released)
    case .goAway(let last, let code, let debug, let debugBytes):
      // It names a stream of its receiver, and those of clients are odd.
      if last > 0, last != UInt32(Int32.max) { turnAround(server: last % 2 == 1 ? direction : direction.opposite) }
      record.goAway(
        HTTP2Record.GoAway(
          direction: direction, lastStream: last, code: code, debug: debug, debugBytes: debugBytes,
          packet: frame.released))
    case .none, .malformed, .data, .priority, .pushPromise, .ping, .windowUpdate: break
    }
  }

  // MARK: Ends

  private mutating func end(
    _ at: Int, by span: ByteSpan, _ released: PacketRef, _ direction: Direction, into events: inout [Event]
  ) {
    table.streams[at].noteEnd(direction)
    endSocket(at, SideEnd(.fin, span.last), direction, into: &events)
    table.streams[at].endMessage(
      isRequest: isRequest(direction), offset: span.range.upperBound, packet: span.last, released: released)
    tellIfOver(at, into: &events)
  }

  private mutating func reset(
    _ frame: HTTP2Frame, _ code: HTTP2ErrorCode, _ direction: Direction, into events: inout [Event]
  ) {
    guard let at = table.index(of: frame.stream) else { return }
    record.reset(code)
    endSocket(at, SideEnd(.reset, frame.span.last), direction, into: &events)
    table.streams[at].reset(frame, code, direction)
    tell(at, into: &events)
  }

  mutating func tellIfOver(_ at: Int, into events: inout [Event]) {
    guard table.streams[at].isOver() else { return }
    if isAwaited(at) { hasAwaited = true } else { tell(at, into: &events) }
  }

  /// There is no more room for it.
  mutating func giveUp(_ at: Int, into events: inout [Event]) {
    table.streams[at].close(nil)
    tell(at, into: &events)
  }

  private mutating func tell(_ at: Int, into events: inout [Event]) {
    closeSocket(at, into: &events)
    freePlace(table.streams[at].id, table.streams[at].last)
    events.append(.exchange(table.streams[at].finished()))
    table.remove(at)
  }
}

import Citation
import Events
import WebSocket
import WebSocketSemantics

/// A WebSocket connection, from the first byte after the 101 on.
///
/// The two directions are read each by itself. What they have to do with each other, a pong with its ping, goes by
/// payload and by the order of the packets.
package struct WebSocketDialogue: Sendable {
  /// Those that are not told yet.
  private var plain: [PlainFrame] = []
  private var plainRoom = ArrayRoom()
  private var tokens: [FrameToken] = []
  var tellsMoments: Bool
  /// No message is compressed, and so what is held does not depend on what is said.
  let isSteady: Bool
  let pieces: PieceOptions
  private var sides: BothDirections<SocketSide>
  private var pings = BothDirections(repeating: PingLedger())
  /// What comes in a direction is no frame any more. Beside the record, whose sides are too large to ask.
  private var hasLeft = BothDirections(repeating: false)
  private var record: WebSocketRecord
  private var application: SocketApplication

  init(
    _ opening: WebSocketOpening, path: String, tellsMoments: Bool, _ pieces: PieceOptions = PieceOptions(),
    into events: inout [Event]
  ) {
    self.tellsMoments = tellsMoments
    self.pieces = pieces
    record = WebSocketRecord(opening: opening)
    isSteady = opening.deflate == nil
    application = SocketApplication(subprotocol: opening.subprotocol, path: path)
    sides = BothDirections(
      toServer: SocketSide(.toServer, opening, pieces),
      toClient: SocketSide(.toClient, opening, pieces))
    events.append(.socketOpened(opening))
  }

  /// So many tokens leave their room to the next packet.
  private static let keptTokens = 16
  /// Plain frames that are told together: their connection is looked up once for all. Of 64 bytes each, these take just
  /// under 1 KiB; glibc takes a lock for more.
  private static let together = 15

  mutating func countHeld() -> Int {
    plainRoom.note(plain.count)
    return sides.toServer.builder.countHeld() + sides.toClient.builder.countHeld()
      + plainRoom.held(PlainFrame.self) + ArrayRoom.grown(to: tokens.count) * MemoryLayout<FrameToken>.stride
  }

  /// Lets go of the windows of compressed messages.
  mutating func dropContent() {
    sides.toServer.builder.dropContent()
    sides.toClient.builder.dropContent()
  }

  @inline(__always)
  mutating func takeRoom(of rooms: inout TokenRooms) { swap(&tokens, &rooms.frames) }

  @inline(__always)
  mutating func giveBackRoom(to rooms: inout TokenRooms) {
    swap(&tokens, &rooms.frames)
    tokens = []
  }

  mutating func consume(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    let count = chunk.bytes.count
    var passed = 0
    repeat {
      let known = plain.count
      // Not through the subscript: a side is too large to be lent for every packet.
      passed =
        direction == .toServer
        ? sides.toServer.pass(chunk, from: passed, into: &plain, upTo: Self.together)
        : sides.toClient.pass(chunk, from: passed, into: &plain, upTo: Self.together)
      if tellsMoments {
        for frame in plain[known...] { tellMoment(frame, into: &events) }
      }
      if pieces.isTold {
        for frame in plain[known...] { tellPiece(frame, into: &events) }
      }
      guard plain.count == Self.together else { break }
      tellPlain(into: &events)
    } while passed < count
    if passed < count { read(chunk.slice(passed..<count), direction, into: &events) }
  }

  /// Tells the plain frames that are kept: before whatever else happens on the connection.
  mutating func tellPlain(into events: inout [Event]) {
    guard !plain.isEmpty else { return }
    for frame in plain {
      record.sides[frame.direction].frames[Int(frame.opcode.rawValue)] &+= 1
      record.sides[frame.direction].last = frame.last
      if frame.direction == record.opening.client { record.note(mask: frame.maskKey, frame.packet) }
      record.sides[frame.direction].add(frame.opcode, wire: frame.length, plain: frame.length, frame.last)
    }
    events.append(.plainFrames(plain, key))
    plain = []
    plain.reserveCapacity(Self.together)
    plainRoom.note(Self.together)
  }

  var keepsPlain: Bool { !plain.isEmpty }

  /// What it sent so far; nil before the first frame.
  func openBody(_ direction: Direction) -> OpenBody? {
    let newest = plain.last { $0.direction == direction }?.last
    guard let last = newest ?? record.sides[direction].last else { return nil }
    var body = OpenBody(
      direction: direction, kind: "websocket", first: record.opening.response ?? last, last: last, bytes: 0)
    body.key = key
    return body
  }

  /// Of the exchange that opened it.
  var key: ExchangeKey { record.opening.exchangeKey }

  private mutating func keep(_ frame: PlainFrame, into events: inout [Event]) {
    plain.append(frame)
    if tellsMoments { tellMoment(frame, into: &events) }
    if pieces.isTold { tellPiece(frame, into: &events) }
    if plain.count == Self.together { tellPlain(into: &events) }
  }

  private mutating func read(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    if tokens.count <= Self.keptTokens { tokens.clear() } else { tokens = [] }
    if hasLeft[direction] { return }
    sides[direction].parser.consume(chunk, into: &tokens)
    for index in tokens.indices {
      if case .payload(let range, let offset, let key) = tokens[index] {
        let start = Int(truncatingIfNeeded: range.lowerBound &- chunk.offset)
        let end = Int(truncatingIfNeeded: range.upperBound &- chunk.offset)
        sides[direction].builder.take(
          chunk.bytes.extracting(start..<end), at: offset, key: key, in: chunk.released)
      } else {
        take(tokens[index], direction, into: &events)
      }
    }
  }

  mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event]) {
    tellPlain(into: &events)
    tokens.clear()
    sides[direction].parser.skip(gap: gap.range, into: &tokens)
    for token in tokens { take(token, direction, into: &events) }
    if record.sides[direction].lostAt == nil { record.sides[direction].lostAt = gap.packet }
    if let message = sides[direction].builder.taken() { tell(message, into: &events) }
  }

  /// No more comes in this direction.
  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    tellPlain(into: &events)
    tokens.clear()
    sides[direction].parser.finish(end.end, into: &tokens)
    for token in tokens { take(token, direction, into: &events) }
    if let message = sides[direction].builder.taken() { tell(message, into: &events) }
  }

  mutating func close(into events: inout [Event]) {
    for direction in Direction.allCases {
      finish(SideEnd(.captureEnded, record.sides[direction].last ?? .none), direction, into: &events)
      record.sides[direction].deflate = sides[direction].builder.finalFigures()
    }
    record.application = application.name
    record.otherApplication = application.other
    record.refusal = application.refusal
    record.promise = application.promise
    events.append(.socketClosed(record))
  }

  // MARK: Tokens

  private mutating func take(_ token: FrameToken, _ direction: Direction, into events: inout [Event]) {
    if hasLeft[direction] { return }
    switch token {
    case .frameStart(let frame):
      guard !frame.opcode.isControl else { return }
      if let unfinished = sides[direction].builder.begin(frame) {
        tellPlain(into: &events)
        tell(unfinished, into: &events)
      }
    case .payload: break
    case .frameEnd(let frame):
      if frame.opcode == .close, let line = frame.statusLine {
        return leaveFrames(with: line, frame, direction, into: &events)
      }
      let plain = direction == .toServer ? sides.toServer.plain(frame) : sides.toClient.plain(frame)
      if let plain { return keep(plain, into: &events) }
      let message = frame.opcode.isControl ? nil : sides[direction].builder.end(frame)
      tellPlain(into: &events)
      record.sides[direction].frames[Int(frame.opcode.rawValue)] &+= 1
      record.sides[direction].last = frame.released
      if direction == record.opening.client { record.note(mask: frame.maskKey, frame.span.first) }
      if frame.opcode == .close, record.sides[direction].close == nil {
        record.sides[direction].close = frame
        sides[direction].hasClosed = true
      }
      let ping = notePing(frame, direction)
      events.append(.frame(frame, direction, key))
      if frame.opcode.isControl {
        if tellsMoments { tell(frame, direction, after: ping, into: &events) }
        if pieces.isTold, frame.isComplete, !frame.opcode.isReserved { tellPiece(frame, direction, into: &events) }
      } else if let message {
        tell(message, into: &events)
      }
    case .lost(_, let packet): record.sides[direction].lostAt = packet
    }
  }

  /// A framework writes its response into the open socket: from here on these are no frames.
  private mutating func leaveFrames(
    with line: [UInt8], _ frame: Frame, _ direction: Direction, into events: inout [Event]
  ) {
    tellPlain(into: &events)
    hasLeft[direction] = true
    record.sides[direction].response = frame
    sides[direction].hasClosed = true
    guard tellsMoments else { return }
    var entry = TimelineEntry(.message, direction, frame.span.first, bytes: 0)
    entry.value = 1
    entry.label = "HTTP response"
    entry.quote = line
    events.append(.moment(entry))
  }

  /// Answers the packet of the ping, of a pong that answers one.
  private mutating func notePing(_ frame: Frame, _ direction: Direction) -> PacketRef? {
    guard frame.isComplete else { return nil }
    if frame.opcode == .ping { pings[direction].note(frame) }
    guard frame.opcode == .pong, let ping = pings[direction.opposite].answer(frame)?.released else { return nil }
    record.pingRoundTrips[direction.opposite].add(frame.released.time.since(ping.time))
    return ping
  }

  private mutating func tell(_ message: WebSocketMessage, into events: inout [Event]) {
    let direction = message.direction
    if message.isComplete {
      record.sides[direction].add(
        message.opcode, wire: message.wireBytes, plain: message.bytes, message.released)
      application.note(message, isServers: direction != record.opening.client)
    }
    if !message.isPlain { events.append(.socketMessage(message, key)) }
    if tellsMoments { tellMoment(message, into: &events) }
    if pieces.isTold, message.isComplete { tellPiece(message, into: &events) }
  }
}

extension WebSocketDirection {
  /// Counts a message that is all there.
  fileprivate mutating func add(_ opcode: Opcode, wire: UInt64, plain: UInt64, _ released: PacketRef) {
    if opcode == .text { text &+= 1 }
    if opcode == .binary { binary &+= 1 }
    wireBytes &+= wire
    bytes &+= plain
    sizes.add(Int64(clamping: plain))
    if let last = lastMessage {
      gaps.add(released.time.since(last.time))
    } else {
      firstMessage = released
    }
    lastMessage = released
  }
}

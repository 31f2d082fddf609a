import Events
import Trace
import WebSocket
import WebSocketSemantics

/// A WebSocket connection, from the first byte after the 101 on.
///
/// The two directions are read each by itself. What they have to do with each other, a pong with its ping, goes by
/// payload and by the order of the packets.
package struct WebSocketDialogue: Sendable {
  var tellsMoments: Bool
  private var parsers = BothDirections(repeating: FrameParser())
  private var builders: BothDirections<SocketMessageBuilder>
  private var pings = BothDirections(repeating: PingLedger())
  private var tokens: [FrameToken] = []
  private var record: WebSocketRecord
  private var application: SocketApplication

  init(_ opening: WebSocketOpening, path: String, tellsMoments: Bool, into events: inout [Event]) {
    self.tellsMoments = tellsMoments
    record = WebSocketRecord(opening: opening)
    application = SocketApplication(subprotocol: opening.subprotocol, path: path)
    builders = BothDirections(
      toServer: SocketMessageBuilder(.toServer, opening.deflate?.toServer),
      toClient: SocketMessageBuilder(.toClient, opening.deflate?.toClient))
    events.append(.socketOpened(opening))
  }

  /// Places for tokens that are kept between two packets.
  private static let keptTokens = 8

  mutating func consume(_ chunk: borrowing StreamChunk, _ direction: Direction, into events: inout [Event]) {
    if let inside = parsers[direction].takeInside(chunk) {
      return builders[direction].take(
        chunk.bytes, at: inside.payloadOffset, key: inside.maskKey, in: chunk.released)
    }
    let passed = pass(chunk, direction, into: &events)
    if passed < chunk.bytes.count {
      read(chunk.slice(passed..<chunk.bytes.count), direction, into: &events)
    }
  }

  /// Takes the plain frames that a chunk begins with, and answers where they end.
  private mutating func pass(
    _ chunk: borrowing StreamChunk, _ direction: Direction, into events: inout [Event]
  ) -> Int {
    guard builders[direction].mayPass, record.sides[direction].close == nil,
      chunk.packet.number == chunk.released.number
    else { return 0 }
    let isMasked = direction == record.opening.client
    var run: PlainFrames?
    var position = 0
    while let one = parsers[direction].plain(chunk, at: position, isMasked: isMasked) {
      let start = position + one.headerLength
      let end = start + Int(truncatingIfNeeded: one.length)
      guard builders[direction].passes(one, chunk.bytes.extracting(start..<end)) else { break }
      if run == nil {
        run = PlainFrames(one, index: parsers[direction].index, in: chunk.packet)
      } else {
        run?.append(one)
      }
      parsers[direction].pass()
      count(one, direction, chunk.packet)
      if tellsMoments { tellMoment(one, direction, chunk.packet, into: &events) }
      position = end
    }
    if let run { events.append(.plainFrames(run, direction)) }
    return position
  }

  private mutating func count(_ one: PlainFrames.One, _ direction: Direction, _ packet: PacketRef) {
    record.sides[direction].frames[Int(one.opcode.rawValue)] &+= 1
    record.sides[direction].last = packet
    record.sides[direction].add(one.opcode, wire: one.length, plain: one.length, packet)
  }

  private mutating func read(_ chunk: borrowing StreamChunk, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: tokens.capacity <= Self.keptTokens)
    parsers[direction].consume(chunk, into: &tokens)
    for index in tokens.indices {
      if case .payload(let range, let offset, let key) = tokens[index] {
        let start = Int(truncatingIfNeeded: range.lowerBound &- chunk.offset)
        let end = Int(truncatingIfNeeded: range.upperBound &- chunk.offset)
        builders[direction].take(
          chunk.bytes.extracting(start..<end), at: offset, key: key, in: chunk.released)
      } else {
        take(tokens[index], direction, into: &events)
      }
    }
  }

  mutating func skip(_ gap: StreamGap, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: true)
    parsers[direction].skip(gap: gap.range, into: &tokens)
    for token in tokens { take(token, direction, into: &events) }
    if record.sides[direction].lostAt == nil { record.sides[direction].lostAt = gap.packet }
    if let message = builders[direction].taken() { tell(message, into: &events) }
  }

  /// No more comes in this direction.
  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: true)
    parsers[direction].finish(end.end, into: &tokens)
    for token in tokens { take(token, direction, into: &events) }
    if let message = builders[direction].taken() { tell(message, into: &events) }
  }

  mutating func close(into events: inout [Event]) {
    for direction in Direction.allCases {
      finish(SideEnd(.captureEnded, record.sides[direction].last ?? .none), direction, into: &events)
      record.sides[direction].deflate = builders[direction].figures
    }
    record.application = application.name
    events.append(.socketClosed(record))
  }

  // MARK: Tokens

  private mutating func take(_ token: FrameToken, _ direction: Direction, into events: inout [Event]) {
    switch token {
    case .frameStart(let frame):
      guard !frame.opcode.isControl else { return }
      if let unfinished = builders[direction].begin(frame) { tell(unfinished, into: &events) }
    case .payload: break
    case .frameEnd(let frame):
      record.sides[direction].frames[Int(frame.opcode.rawValue)] &+= 1
      record.sides[direction].last = frame.released
      if frame.opcode == .close, record.sides[direction].close == nil { record.sides[direction].close = frame }
      let ping = notePing(frame, direction)
      events.append(.frame(frame, direction))
      if frame.opcode.isControl {
        if tellsMoments { tell(frame, direction, after: ping, into: &events) }
      } else if let message = builders[direction].end(frame) {
        tell(message, into: &events)
      }
    case .lost(_, let packet): record.sides[direction].lostAt = packet
    }
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
      application.note(message)
    }
    if !message.isPlain { events.append(.socketMessage(message)) }
    if tellsMoments { tellMoment(message, into: &events) }
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

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
    if frame.opcode == .ping { pings[direction].note(frame.control, frame.released) }
    guard frame.opcode == .pong, let ping = pings[direction.opposite].answer(frame.control) else { return nil }
    record.pingRoundTrips[direction.opposite].add(frame.released.time.since(ping.time))
    return ping
  }

  private mutating func tell(_ message: WebSocketMessage, into events: inout [Event]) {
    let direction = message.direction
    if message.isComplete {
      if message.opcode == Opcode.text.rawValue { record.sides[direction].text &+= 1 }
      if message.opcode == Opcode.binary.rawValue { record.sides[direction].binary &+= 1 }
      record.sides[direction].wireBytes &+= message.wireBytes
      record.sides[direction].bytes &+= message.bytes
      record.sides[direction].sizes.add(Int64(clamping: message.bytes))
      if let last = record.sides[direction].lastMessage {
        record.sides[direction].gaps.add(message.released.time.since(last.time))
      } else {
        record.sides[direction].firstMessage = message.released
      }
      record.sides[direction].lastMessage = message.released
      application.note(message)
    }
    if !message.isPlain { events.append(.socketMessage(message)) }
    if tellsMoments { tellMoment(message, into: &events) }
  }
}

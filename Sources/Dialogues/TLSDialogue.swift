import Citation
import Events
import TLS
import TLSProtection
import TLSSemantics

/// A TLS connection: the handshake as far as it is clear, the records of both directions, and with the secrets of a key
/// log the dialogue inside, to which each record's plaintext is a chunk that came in the record's packets.
///
/// A side that is no TLS at all, such as a server that answers a ClientHello in HTTP, goes to the dialogue inside as it
/// is.
///
/// Memory: what the parsers hold, and one record's plaintext for both directions. Without secrets application data is
/// counted and passed over.
///
/// Invariants: the offsets that the dialogue inside sees of a direction grow without a step that is not told as a hole;
/// what stayed undecrypted is a hole there, and never nothing.
struct TLSDialogue: Sendable {
  var session = TLSSession()
  var sides = BothDirections(repeating: ProtectedSide())
  /// What is spoken inside, once there is something to tell it.
  var inner = Rare<Dialogue>()
  var options: DialogueOptions
  /// The secrets of this connection, and the hellos that they are used with.
  var keys: ConnectionKeys?
  var hellos = TLSHellos()
  /// What the client sent before the server said whether it takes it.
  var early = EarlyData()
  /// Who said first that nothing more comes, where that could be read.
  var goodbye: Goodbye?
  let isMidstream: Bool
  /// For what a record holds; it is never shortened.
  private var room: [UInt8] = []
  private var tokens: [RecordToken] = []
  private var tokenRoom = ArrayRoom()
  /// For the dialogue inside.
  var rooms = TokenRooms()
  /// A large segment of tiny records has tens of thousands.
  private static let keptTokens = 64

  init(_ options: DialogueOptions, isMidstream: Bool) {
    self.options = options
    self.isMidstream = isMidstream
    for direction in Direction.allCases {
      sides[direction].startsAnywhere = isMidstream
      // Until it is known that there are no secrets: records may follow in the segment of the hello.
      sides[direction].parser.keepsApplicationData = !options.keyLog.isEmpty
    }
  }

  mutating func countHeld() -> Int {
    var sum = room.count + tokenRoom.held(RecordToken.self) + 4 << 10
    sum += sides.toServer.countHeld() + sides.toClient.countHeld()
    sum += rooms.countHeld()
    if !inner.isEmpty { sum += inner.heldBytes + inner.value.countHeld() }
    return sum
  }

  /// Whose ClientHello it is.
  var client: Direction { session.client }
  var tellsMoments: Bool { options.tellsMoments }

  mutating func stopMoments() {
    options.tellsMoments = false
    if !inner.isEmpty { inner.value.stopMoments() }
  }

  /// Bytes before the first that will come are missing.
  mutating func noteMissingStart(_ gap: SequenceGap, _ direction: Direction) {
    sides[direction].startsAnywhere = true
    sides[direction].hole = gap
    session.sides[direction].isLost = true
    sides[direction].openers.noteHole()
  }

  // MARK: Bytes

  mutating func consume(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    if sides.ask(direction, { $0.isClear }) {
      return inner.value.consume(chunk, direction, lending: &rooms, into: &events)
    }
    if sides.ask(direction, { !$0.hasBegun }) {
      if sides.ask(direction.opposite, { !$0.hasBegun }) { events.append(.tlsOpened) }
      begin(chunk, direction)
    }
    sides[direction].parser.consume(chunk, into: &tokens)
    guard !tokens.isEmpty else { return }
    readTokens(direction, into: &events)
    if sides.ask(direction, { $0.isClear }), let start = session.sides[direction].opaque {
      let from = Int(clamping: max(start.span.range.upperBound, chunk.offset) &- chunk.offset)
      guard from < chunk.bytes.count else { return }
      inner.value.consume(chunk.slice(from..<chunk.bytes.count), direction, lending: &rooms, into: &events)
    }
  }

  /// A capture may begin in the middle of a record of one side: the next one is looked for.
  private mutating func begin(_ chunk: borrowing CitedBytes, _ direction: Direction) {
    sides[direction].hasBegun = true
    guard sides.ask(direction, { $0.startsAnywhere }), TLSProbe.look(at: chunk.bytes) == .no else { return }
    let keeps = sides[direction].parser.keepsApplicationData
    sides[direction].parser = RecordParser(startsAnywhere: true)
    sides[direction].parser.keepsApplicationData = keeps
  }

  mutating func skip(_ gap: SequenceGap, _ direction: Direction, into events: inout [Event]) {
    session.sides[direction].isLost = true
    sides[direction].openers.noteHole()
    if direction == client { settleEarlyData(.taken, into: &events) }
    if sides.ask(direction, { !$0.isClear }) {
      if sides[direction].hole == nil { sides[direction].hole = gap }
      sides[direction].parser.skip(gap: gap.range, into: &tokens)
      readTokens(direction, into: &events)
      if sides.ask(direction, { $0.handshake.isInside }) { skipHandshake(direction) }
    }
    if sides.ask(direction, { $0.isClear }) { inner.value.skip(gap, direction, into: &events) }
  }

  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    sides[direction].parser.finish(end.end, into: &tokens)
    readTokens(direction, into: &events)
    if sides.ask(direction, { $0.handshake.isInside }) { skipHandshake(direction) }
    if direction == client { settleEarlyData(.taken, into: &events) }
    finishInner(end, direction, into: &events)
  }

  mutating func close(into events: inout [Event]) {
    for direction in Direction.allCases {
      finish(SideEnd(.captureEnded, sides[direction].lastProtected?.released ?? .none), direction, into: &events)
    }
    if !inner.isEmpty { inner.value.close(into: &events) }
    conclude()
    events.append(.tlsClosed(session))
  }

  /// Reads what the parser said, and forgets it.
  private mutating func readTokens(_ direction: Direction, into events: inout [Event]) {
    // Held beside the parser, so that a record's bytes can be looked at while the rest of this changes.
    let contents = sides.ask(direction) { $0.parser.contents }
    for index in tokens.indices {
      switch tokens[index] {
      case .recordStart, .lost, .resumed: break
      case .recordEnd(let record, let range):
        take(record, contents.span.extracting(range), direction, into: &events)
      case .opaque(let start):
        guard start.cause != .hole, session.sides[direction].opaque == nil else { continue }
        session.sides[direction].opaque = start
        if start.cause == .notTLS, sides[direction].parser.index == 0 { beClear(start, direction, into: &events) }
      }
    }
    if tokens.count <= Self.keptTokens {
      tokenRoom.note(tokens.count)
      tokens.removeAll(keepingCapacity: true)
    } else {
      tokenRoom.letGo()
      tokens = []
    }
    sides[direction].parser.releaseContents()
  }

  // MARK: Records

  private mutating func take(
    _ record: TLSRecord, _ contents: Span<UInt8>, _ direction: Direction, into events: inout [Event]
  ) {
    guard record.isComplete else { return takePart(record, direction, into: &events) }
    // Whoever counts records does not mean that form.
    if !record.isSSLv2 { session.sides[direction].counts.add(record.type) }
    if record.type == .applicationData || record.type == .handshake || record.type == .alert {
      noteProtection(record, contents, direction)
    }
    var oddities = record.oddities.subtracting(.unknownVersion)
    // In a later handshake it is encrypted like all else.
    if sides.ask(direction, { $0.hasChangedCipher }) { oddities.remove(.longChangeCipherSpec) }
    if oddities != [], session.sides[direction].oddRecord == nil { session.sides[direction].oddRecord = record }
    if sides.ask(direction, { $0.isProtected(record) }) {
      takeProtected(record, contents, direction, into: &events)
    } else {
      take(record.type, contents, of: record, direction, isClear: true, into: &events)
    }
  }

  /// Protection begins with a change_cipher_spec before TLS 1.3. One that a hole swallowed shows by what follows it, and
  /// of one whose version nobody knows, what follows tells whether it meant anything.
  private mutating func noteProtection(_ record: TLSRecord, _ contents: Span<UInt8>, _ direction: Direction) {
    guard sides.ask(direction, { !$0.hasChangedCipher }) else { return }
    if let version = session.version {
      if !version.isTLS13, record.type == .applicationData { changeCipher(direction) }
    } else if sides[direction].mayHaveChangedCipher, record.type != .applicationData {
      let isClear =
        record.type == .alert
        ? contents.count == 2 : contents.count >= 4 && 1...2 ~= contents[0] && contents[1] == 0
      sides[direction].hasChangedCipher = !isClear
    }
  }

  /// A record whose end never came, or in which bytes are missing.
  private mutating func takePart(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    // Counted by its header; what was in it is lost.
    if record.headerReleased != nil { session.sides[direction].counts.add(record.type) }
    if record.headerReleased != nil, record.lost > 0, record.missing == 0 {
      if !sides[direction].isProtected(record), record.type == .handshake {
        takeHandshake([UInt8]().span, record, direction, isClear: true, into: &events)
      }
    } else if session.sides[direction].unfinished == nil {
      session.sides[direction].unfinished = record
    }
  }

  private mutating func takeProtected(
    _ record: TLSRecord, _ contents: Span<UInt8>, _ direction: Direction, into events: inout [Event]
  ) {
    defer { sides[direction].lastProtected = record }
    if sides.ask(direction, { $0.openers.isEmpty }), hellos.server == nil { openWithoutServer(direction) }
    guard contents.count == record.length, sides.ask(direction, { !$0.isClosedToUs && !$0.openers.isEmpty }) else {
      return takeOpaque(record, direction, into: &events)
    }
    var bytes: [UInt8] = []
    swap(&bytes, &room)
    defer { swap(&bytes, &room) }
    let before = sides.ask(direction) { $0.openers.epoch }
    switch sides.ask(direction, { $0.openers.open(record, contents, into: &bytes) }) {
    case .opened(let type, let count, let lost, let follows):
      if case .unused = session.opening { session.opening = .opened }
      if lost > 0 || !follows, sides[direction].hole != nil { skipHandshake(direction) }
      passHole(direction, before: record, lost: lost, follows: follows, epoch: before, into: &events)
      sides[direction].isShut = false
      take(type, bytes.span.extracting(0..<count), of: record, direction, isClear: false, into: &events)
      sides[direction].openedEnd = record.span.range.upperBound
    case .failed: fail(record, direction, into: &events)
    }
  }

  // MARK: Contents

  /// What a record holds, clear or opened.
  private mutating func take(
    _ type: TLSContentType, _ bytes: Span<UInt8>, of record: TLSRecord, _ direction: Direction, isClear: Bool,
    into events: inout [Event]
  ) {
    switch type {
    case .handshake: takeHandshake(bytes, record, direction, isClear: isClear, into: &events)
    case .alert: noteAlert(TLSAlert(bytes), record, direction, into: &events)
    case .changeCipherSpec: changeCipher(direction)
    case .applicationData where !isClear:
      noteApplication(record, direction, plaintext: bytes.count, isOpened: true, into: &events)
      guard !keepsEarly(bytes, of: record, direction, into: &events) else { break }
      deliver(bytes, of: record, direction, into: &events)
    default: break
    }
  }
}

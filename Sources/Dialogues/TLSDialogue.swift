import Events
import TLS
import TLSProtection
import TLSSemantics
import Trace

/// A TLS connection: the handshake as far as it is clear, the records of both directions, and with the secrets of a key
/// log the dialogue inside, to which each record's plaintext is a chunk that came in the record's packets.
///
/// Memory: what the parsers hold, and one record's plaintext for both directions. Without secrets application data is
/// counted and passed over.
struct TLSDialogue: Sendable {
  var session = TLSSession()
  var sides = BothDirections(repeating: ProtectedSide())
  /// One, once application data was opened.
  var inner: [Dialogue] = []
  var options: DialogueOptions
  /// The secrets of this connection, and the hellos that they are used with.
  var keys: ConnectionKeys?
  var hellos = TLSHellos()
  /// Whose ClientHello it is.
  var client: Direction {
    get { session.client }
    set { session.client = newValue }
  }
  /// What the client sent before the server said whether it takes it.
  var early = EarlyData()
  /// Who said first that nothing more comes, where that could be read.
  var goodbye: Goodbye?
  private let isMidstream: Bool
  private var room: [UInt8] = []
  private var tokens: [RecordToken] = []

  init(_ options: DialogueOptions, isMidstream: Bool) {
    self.options = options
    self.isMidstream = isMidstream
    for direction in Direction.allCases {
      // Until it is known that there are no secrets: records may follow in the segment of the hello.
      sides[direction].parser.keepsApplicationData = !options.keyLog.isEmpty
    }
  }

  var tellsMoments: Bool { options.tellsMoments }

  mutating func stopMoments() {
    options.tellsMoments = false
    if !inner.isEmpty { inner[0].stopMoments() }
  }

  // MARK: The dialogue inside

  var keepsPlain: Bool { !inner.isEmpty && inner[0].keepsPlain }

  mutating func tellPlain(into events: inout [Event]) {
    if !inner.isEmpty { inner[0].tellPlain(into: &events) }
  }

  func isInside(_ direction: Direction) -> Bool { inner.isEmpty || inner[0].isInside(direction) }

  mutating func take(_ pause: StreamPause) {
    if !inner.isEmpty { inner[0].take(pause) }
  }

  // MARK: Bytes

  mutating func consume(_ chunk: borrowing StreamChunk, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: true)
    if !sides[direction].hasBegun {
      if !sides[direction.opposite].hasBegun { events.append(.tlsOpened) }
      begin(chunk, direction)
    }
    sides[direction].parser.consume(chunk, into: &tokens)
    guard !tokens.isEmpty else { return }
    readTokens(direction, into: &events)
    sides[direction].parser.releaseContents()
  }

  /// A capture may begin in the middle of a record of one side: the next one is looked for.
  private mutating func begin(_ chunk: borrowing StreamChunk, _ direction: Direction) {
    sides[direction].hasBegun = true
    guard isMidstream, TLSProbe.look(at: chunk.bytes) == .no else { return }
    let keeps = sides[direction].parser.keepsApplicationData
    sides[direction].parser = RecordParser(startsAnywhere: true)
    sides[direction].parser.keepsApplicationData = keeps
  }

  mutating func skip(_ gap: StreamGap, _ direction: Direction, into events: inout [Event]) {
    session.sides[direction].isLost = true
    sides[direction].openers.noteHole()
    if direction == client { settleEarlyData(.taken, into: &events) }
    if sides[direction].hole == nil { sides[direction].hole = gap }
    tokens.removeAll(keepingCapacity: true)
    sides[direction].parser.skip(gap: gap.range, into: &tokens)
    readTokens(direction, into: &events)
    sides[direction].parser.releaseContents()
  }

  mutating func finish(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    tokens.removeAll(keepingCapacity: true)
    sides[direction].parser.finish(end.end, into: &tokens)
    readTokens(direction, into: &events)
    sides[direction].parser.releaseContents()
    if direction == client { settleEarlyData(.taken, into: &events) }
    finishInner(end, direction, into: &events)
  }

  mutating func close(into events: inout [Event]) {
    for direction in Direction.allCases {
      finish(SideEnd(.captureEnded, sides[direction].lastProtected?.released ?? .none), direction, into: &events)
    }
    if !inner.isEmpty { inner[0].close(into: &events) }
    conclude()
    events.append(.tlsClosed(session))
  }

  /// The end of the plaintext of a direction, once.
  func mayFinish(_ direction: Direction) -> Bool { !inner.isEmpty && !sides[direction].hasFinished }

  mutating func finishInner(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    guard mayFinish(direction) else { return }
    sides[direction].hasFinished = true
    tellHole(direction, upTo: nil, into: &events)
    inner[0].finish(end, direction, into: &events)
  }

  private mutating func readTokens(_ direction: Direction, into events: inout [Event]) {
    // Held beside the parser, so that a record's bytes can be looked at while the rest of this changes.
    let contents = sides[direction].parser.contents
    for index in tokens.indices {
      switch tokens[index] {
      case .recordStart, .lost, .resumed: break
      case .recordEnd(let record, let range):
        take(record, contents.span.extracting(range), direction, into: &events)
      case .opaque(let start):
        if start.cause != .hole, session.sides[direction].opaque == nil { session.sides[direction].opaque = start }
      }
    }
  }

  // MARK: Records

  private mutating func take(
    _ record: TLSRecord, _ contents: Span<UInt8>, _ direction: Direction, into events: inout [Event]
  ) {
    guard record.isComplete else { return takePart(record, direction, into: &events) }
    // Whoever counts records does not mean that form.
    if !record.isSSLv2 { session.sides[direction].counts.add(record.type) }
    if record.oddities.subtracting(.unknownVersion) != [], session.sides[direction].oddRecord == nil {
      session.sides[direction].oddRecord = record
    }
    if sides[direction].isProtected(record) {
      takeProtected(record, contents, direction, into: &events)
    } else {
      take(record.type, contents, of: record, direction, isClear: true, into: &events)
    }
  }

  /// A record whose end never came, or in which bytes are missing.
  private mutating func takePart(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    // Counted by its header; what was in it is lost.
    if record.headerReleased != nil { session.sides[direction].counts.add(record.type) }
    if record.headerReleased != nil, record.lost > 0, record.missing == 0 {
      if !sides[direction].isProtected(record), record.type == .handshake {
        takeHandshake([UInt8]().span, record, direction, into: &events)
      }
    } else if session.sides[direction].unfinished == nil {
      session.sides[direction].unfinished = record
    }
  }

  private mutating func takeProtected(
    _ record: TLSRecord, _ contents: Span<UInt8>, _ direction: Direction, into events: inout [Event]
  ) {
    sides[direction].protected += 1
    defer { sides[direction].lastProtected = record }
    var bytes: [UInt8] = []
    swap(&bytes, &room)
    defer { swap(&bytes, &room) }
    guard !sides[direction].isClosedToUs, contents.count == record.length,
      !sides[direction].openers.isEmpty
    else { return takeOpaque(record, direction, into: &events) }
    switch sides[direction].openers.open(record, contents, into: &bytes) {
    case .opened(let type, let count, let lost):
      sides[direction].lostRecords = lost
      if case .unused = session.opening { session.opening = .opened }
      tellHole(direction, upTo: record, into: &events)
      take(type, bytes.span.extracting(0..<count), of: record, direction, isClear: false, into: &events)
    case .failed: fail(record, direction, into: &events)
    }
  }

  /// A record that does not open. One under early data's secret that is not there is no failure: later ones open.
  private mutating func fail(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    let hadOpened = sides[direction].openers.hasOpened
    if session.sides[direction].isLost {
      if hadOpened || sides[direction].hole != nil {
        sides[direction].isClosedToUs = true
        if case .failed = session.opening {} else { session.opening = .lost(record.span.first, direction) }
        tellHole(direction, upTo: nil, into: &events)
      }
    } else if hadOpened {
      sides[direction].isClosedToUs = true
      // The secret that comes into force by now may be one of those that are not there.
      if session.opening != .incomplete { session.opening = .failed(record, direction, hadOpened: true) }
      if mayFinish(direction) {
        // What follows in this direction is not known.
        let start = sides[direction].plaintext
        var gap = StreamGap(start..<start + 1, .notCaptured, record.released)
        gap.isLengthKnown = false
        inner[0].skip(gap, direction, into: &events)
      }
    } else if sides[direction].firstFailure == nil {
      sides[direction].firstFailure = record
    }
    takeOpaque(record, direction, into: &events)
  }

  /// A hole in the plaintext: as long as what the records in it must have held, or of a length that nobody knows.
  private mutating func tellHole(_ direction: Direction, upTo record: TLSRecord?, into events: inout [Event]) {
    guard let hole = sides[direction].hole, sides[direction].plaintext > 0 || !inner.isEmpty else {
      sides[direction].hole = nil
      return
    }
    sides[direction].hole = nil
    guard !inner.isEmpty else { return }
    let start = sides[direction].plaintext
    let known = record.flatMap { lostPlaintext(direction, before: $0) }
    let length = max(1, known ?? 1)
    sides[direction].plaintext = start &+ length
    var gap = StreamGap(start..<start &+ length, hole.cause, hole.packet, before: hole.before)
    gap.isLengthKnown = known != nil
    inner[0].skip(gap, direction, into: &events)
  }

  /// Plaintext between the last record that was opened and this one; nil where the suite pads.
  private func lostPlaintext(_ direction: Direction, before record: TLSRecord) -> UInt64? {
    let bytes = record.span.range.lowerBound &- sides[direction].openedEnd
    guard bytes > 0, bytes < 1 << 40 else { return nil }
    let lost = sides[direction].lostRecords
    let each = UInt64(record.headerLength) &+ overhead
    guard overhead > 0, bytes >= lost &* each else { return nil }
    return bytes &- lost &* each
  }

  /// What protection adds to each record; 0 where that differs from one to the next.
  private var overhead: UInt64 {
    guard let suite = session.cipherSuite, let version = session.version,
      let plain = suite.plaintext(ofBody: 1_000, in: version), plain.lowerBound == plain.upperBound
    else { return 0 }
    return UInt64(1_000 - plain.lowerBound)
  }

  /// A protected record that stays shut. In TLS 1.3 the handshake goes on in such, so what a record is follows from who
  /// sent what before.
  private mutating func takeOpaque(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    if session.version?.isTLS13 ?? false {
      guard session.phases.finished.toServer != nil || isMidstream else {
        return takeHiddenHandshake(record, direction, into: &events)
      }
      if session.phases.application.toServer == nil, direction != client, hellos.client != nil, !isMidstream {
        // Tickets, or a server that speaks first.
        return
      }
    } else if record.type == .handshake {
      return noteFinished(record, direction, into: &events)
    } else if record.type == .alert {
      noteAlert(nil, record, direction, into: &events)
      return
    }
    noteApplication(record, direction, plaintext: plaintextSize(of: record), isOpened: false, into: &events)
  }

  /// Before the client's Finished, without secrets: the first record of the client is that, and what the server sent
  /// until then is its flight.
  private mutating func takeHiddenHandshake(
    _ record: TLSRecord, _ direction: Direction, into events: inout [Event]
  ) {
    guard direction == client else {
      session.phases.serverFlight = record.released
      session.phases.serverFlightBytes &+= UInt64(record.headerLength + record.length)
      return
    }
    // Early data comes before the server's answer.
    guard session.phases.serverHello != nil else {
      return noteApplication(
        record, direction, plaintext: plaintextSize(of: record), isOpened: false, into: &events)
    }
    // No Finished is as short as an alert.
    if plaintextSize(of: record) == 2 { return noteAlert(nil, record, direction, into: &events) }
    session.phases.finished[client.opposite] = session.phases.serverFlight ?? session.phases.serverHello
    noteFinished(record, direction, into: &events)
  }

  private func plaintextSize(of record: TLSRecord) -> Int {
    guard let suite = session.cipherSuite, let version = session.version,
      let plain = suite.plaintext(ofBody: record.length, in: version)
    else { return record.length }
    return plain.upperBound
  }

  // MARK: Contents

  /// What a record holds, clear or opened.
  private mutating func take(
    _ type: TLSContentType, _ bytes: Span<UInt8>, of record: TLSRecord, _ direction: Direction, isClear: Bool,
    into events: inout [Event]
  ) {
    switch type {
    case .handshake: takeHandshake(bytes, record, direction, into: &events)
    case .alert: noteAlert(TLSAlert(bytes), record, direction, into: &events)
    case .changeCipherSpec: changeCipher(direction)
    case .applicationData where !isClear:
      noteApplication(record, direction, plaintext: bytes.count, isOpened: !isHTTP2, into: &events)
      guard !keepsEarly(bytes, of: record, direction, into: &events) else { break }
      deliver(bytes, of: record, direction, into: &events)
    default: break
    }
    if !isClear { sides[direction].openedEnd = record.span.range.upperBound }
  }

  /// Hands plaintext to the dialogue inside, as a chunk of the record's packets.
  private mutating func deliver(
    _ bytes: Span<UInt8>, of record: TLSRecord, _ direction: Direction, into events: inout [Event]
  ) {
    let chunk = StreamChunk(
      bytes, at: sides[direction].plaintext, in: record.span.first, released: record.released)
    deliver(chunk, direction, into: &events)
  }

  mutating func deliver(_ chunk: borrowing StreamChunk, _ direction: Direction, into events: inout [Event]) {
    guard !chunk.bytes.isEmpty, !isHTTP2 else { return }
    // Inside, TLS is nothing to look for again.
    if inner.isEmpty { inner.append(Dialogue(isMidstream: false, options)) }
    sides[direction].plaintext &+= UInt64(chunk.bytes.count)
    inner[0].consume(chunk, direction, into: &events)
  }

  var isHTTP2: Bool { session.applicationProtocol == "h2" }
}

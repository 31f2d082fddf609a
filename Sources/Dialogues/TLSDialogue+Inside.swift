import Citation
import Events
import TLSSemantics

// The dialogue inside: what reaches it, and what it is told of that does not.
extension TLSDialogue {
  var keepsPlain: Bool { !inner.isEmpty && inner.value.keepsPlain }
  /// The records are kept as well: that is never none.
  var growth: Dialogue.Growth {
    guard !inner.isEmpty else { return .some }
    return inner.value.growth == .none ? .some : inner.value.growth
  }

  mutating func tellPlain(into events: inout [Event]) {
    if !inner.isEmpty { inner.value.tellPlain(into: &events) }
  }

  func isInside(_ direction: Direction) -> Bool { inner.isEmpty || inner.value.isInside(direction) }

  func mayAwaitAnswer(_ direction: Direction) -> Bool { inner.isEmpty && direction == client }

  func openBodies(_ direction: Direction, at now: Timestamp) -> [OpenBody] {
    inner.isEmpty ? [] : inner.value.openBodies(direction, at: now)
  }

  mutating func take(_ pause: inout StreamPause) {
    if !inner.isEmpty { inner.value.take(&pause) }
  }

  mutating func know(_ roundTrip: RoundTrip) {
    if !inner.isEmpty { inner.value.know(roundTrip) }
  }

  var isHTTP2: Bool { session.applicationProtocol == "h2" }

  private mutating func beginInner() {
    guard inner.isEmpty else { return }
    var options = options
    options.depth += 1
    inner = Rare(
      isHTTP2
        ? Dialogue(requests: client, http2: .alpn, options) : Dialogue(isMidstream: false, options))
  }

  /// Hands plaintext to the dialogue inside, as a chunk of the record's packets.
  mutating func deliver(
    _ bytes: Span<UInt8>, of record: TLSRecord, _ direction: Direction, into events: inout [Event]
  ) {
    let chunk = CitedBytes(
      bytes, at: sides[direction].plaintext, in: record.span.first, released: record.released)
    deliver(chunk, direction, into: &events)
  }

  /// What comes behind a close_notify is for nobody (RFC 8446 §6.1).
  mutating func deliver(_ chunk: borrowing CitedBytes, _ direction: Direction, into events: inout [Event]) {
    guard !chunk.bytes.isEmpty, !sides[direction].hasFinished else { return }
    beginInner()
    for each in Direction.allCases where sides[each].isHoleSure { tellHole(each, length: nil, into: &events) }
    let moved = CitedBytes(
      chunk.bytes, at: sides[direction].plaintext, in: chunk.packet, released: chunk.released)
    sides[direction].plaintext &+= UInt64(chunk.bytes.count)
    inner.value.consume(moved, direction, lending: &rooms, into: &events)
  }

  /// A side whose first bytes are no TLS: the other one's hello was answered in another protocol.
  mutating func beClear(_ start: OpaqueStart, _ direction: Direction, into events: inout [Event]) {
    beginInner()
    sides[direction].isClear = true
    let chunk = CitedBytes(
      start.excerpt.bytes.span, at: start.span.range.lowerBound, in: start.span.first, released: start.span.last)
    inner.value.consume(chunk, direction, lending: &rooms, into: &events)
  }

  /// The end of the plaintext of a direction, once.
  mutating func finishInner(_ end: SideEnd, _ direction: Direction, into events: inout [Event]) {
    guard !inner.isEmpty, !sides[direction].hasFinished else { return }
    sides[direction].hasFinished = true
    if sides[direction].hole != nil { tellHole(direction, length: nil, into: &events) }
    inner.value.finish(end, direction, into: &events)
  }

  /// To whoever reads what is inside, close_notify is the end of a direction; the FIN behind it is only how TCP follows,
  /// and often the other side's comes first.
  mutating func endInner(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    guard !inner.isEmpty, !sides[direction].hasFinished else { return }
    if goodbye == nil {
      let last = [Direction.toServer, .toClient].compactMap { session.sides[$0].application.last?.released }
      goodbye = Goodbye(by: direction, at: record.released, silentSince: last.max { $0.number < $1.number })
    }
    tellPlain(into: &events)
    events.append(.directionEnded(.fin, direction, record.released))
    finishInner(SideEnd(.fin, record.released), direction, into: &events)
  }

  // MARK: Holes

  /// Application data stayed undecrypted: a hole for the reader of what is inside, once there is one.
  mutating func noteShut(_ record: TLSRecord, _ direction: Direction, into events: inout [Event]) {
    guard !sides[direction].isShut else { return }
    sides[direction].isShut = true
    sides[direction].isHoleSure = true
    if sides[direction].hole == nil { sides[direction].hole = SequenceGap(0..<1, .notCaptured, record.released) }
    if !inner.isEmpty { tellHole(direction, length: nil, into: &events) }
  }

  /// Judges by a record that opened behind a hole what was in it: application data, or only parts of the handshake.
  /// `epoch` is that of the record before.
  mutating func passHole(
    _ direction: Direction, before record: TLSRecord, lost: UInt64, follows: Bool, epoch: RecordOpeners.Epoch?,
    into events: inout [Event]
  ) {
    guard sides[direction].hole != nil, !sides[direction].isHoleSure else { return }
    let isMissing =
      switch sides[direction].openers.epoch {
      case .early, .application: lost > 0 || epoch == .early && !follows
      // The first under these secrets is Finished.
      case .all: lost > (follows ? 0 : 1)
      case .handshake, nil: epoch == .early
      }
    guard isMissing else {
      sides[direction].hole = nil
      return
    }
    beginInner()
    let length = follows ? lostPlaintext(direction, before: record, lost) : nil
    tellHole(direction, length: length, into: &events)
  }

  /// A hole in the plaintext, of this length or of one that nobody knows.
  private mutating func tellHole(_ direction: Direction, length: UInt64?, into events: inout [Event]) {
    guard let hole = sides[direction].hole else { return }
    sides[direction].hole = nil
    sides[direction].isHoleSure = false
    let start = sides[direction].plaintext
    let end = start &+ (length ?? 1)
    guard end > start else { return }
    sides[direction].plaintext = end
    var gap = SequenceGap(start..<end, hole.cause, hole.packet, before: hole.before)
    gap.isLengthKnown = length != nil
    inner.value.skip(gap, direction, into: &events)
  }

  /// What records between the last one that was opened and this one held; nil where the suite pads.
  private func lostPlaintext(_ direction: Direction, before record: TLSRecord, _ lost: UInt64) -> UInt64? {
    guard let overhead else { return nil }
    let bytes = record.span.range.lowerBound &- sides[direction].openedEnd
    let added = lost &* (UInt64(record.headerLength) &+ overhead)
    guard bytes >= added, bytes < 1 << 40 else { return nil }
    return bytes &- added
  }

  /// What protection adds to each record, where that is the same for all.
  private var overhead: UInt64? {
    guard let suite = session.cipherSuite, let version = session.version,
      let plain = suite.plaintext(ofBody: 1_000, in: version), plain.lowerBound == plain.upperBound
    else { return nil }
    return UInt64(1_000 - plain.lowerBound)
  }
}

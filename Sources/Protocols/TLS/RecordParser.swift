import Citation
import TLSSemantics

/// Finds the records of one direction (RFC 8446 §5.1).
///
/// A record is reported when its header is complete and when it ends. Contents that a consumer may read are copied into
/// `contents`; all others are counted and passed over, a chunk at a time however long it is. After a hole inside a body
/// the record's end is still known and reading goes on there; after any other, a RecordSearch looks for a place.
///
/// Memory: one header, and in `contents` one record and what one chunk brought, if it is released after each.
///
/// Invariant: `header` is empty while a record is open; what `contents` has from `openStart` on is of the open record.
package struct RecordParser: IncrementalParser, Sendable {
  /// Whether application data is kept, too; of records that begin from now on. Set it from the start where keys may come
  /// later in the same chunk, and take it back when there are none.
  package var keepsApplicationData = false
  /// What ranges in tokens mean.
  package private(set) var contents: [UInt8] = []
  private var room = ArrayRoom()

  private enum State {
    case reading
    /// Behind a hole, or at the start of what nobody saw the start of.
    case searching
    /// Not TLS; the first bytes of it are collected.
    case quoting(OpaqueStart.Cause)
    case done
  }

  private var state = State.reading
  private var header = HeldRecordHeader()
  private var open = TLSRecord.none
  private var isOpen = false
  private var isKept = false
  private var openStart = 0
  /// Of the next record.
  package private(set) var index: UInt64 = 0
  private var packet = PacketRef.none
  private var released = PacketRef.none
  private var acknowledged = PacketRef.none
  private var lastVersion: TLSVersion?
  private var hasRisen = false
  private var search = RecordSearch(version: nil)
  private var quoted: [UInt8] = []
  private var quotedSpan = ByteSpan(0..<0, first: .none, last: .none)

  /// A direction whose first bytes stand anywhere, because the capture began later, is searched for the first place where
  /// one header leads to another.
  package init(startsAnywhere: Bool = false) {
    if startsAnywhere { state = .searching }
  }

  /// What comes is not read: not TLS, or behind a hole where no record was found yet.
  package var isOpaque: Bool { if case .reading = state { false } else { true } }

  /// In the middle of a record.
  package var isInside: Bool { isOpen || header.count > 0 }

  /// Forgets what tokens named; what is there of a record that is not whole stays.
  package mutating func releaseContents() {
    room.note(contents.count)
    if isOpen, isKept {
      if openStart > 0 { contents.removeSubrange(0..<openStart) }
    } else {
      contents.removeAll(keepingCapacity: true)
    }
    openStart = 0
  }

  /// What `contents` has room for.
  package mutating func countHeld() -> Int {
    room.note(contents.count)
    return room.held(UInt8.self)
  }

  package mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [RecordToken]) {
    let count = chunk.bytes.count
    guard count > 0 else { return }
    var position = 0
    packet = chunk.packet
    released = chunk.released
    acknowledged = chunk.acknowledged
    while position < count {
      switch state {
      case .reading:
        if !isOpen, !begin(chunk, &position, into: &tokens) { continue }
        takeBody(chunk, &position)
        if open.missing == 0 { end(into: &tokens) }
      case .searching: look(chunk, &position, into: &tokens)
      case .quoting: quote(chunk, &position, into: &tokens)
      case .done: return
      }
    }
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [RecordToken]) {
    guard !range.isEmpty else { return }
    let count = range.upperBound - range.lowerBound
    switch state {
    case .done: break
    case .quoting(let cause): tellOpaque(cause, into: &tokens)
    case .searching:
      tokens.append(.lost(range, released))
      header.removeAll()
      search.skip(count)
    case .reading:
      tokens.append(.lost(range, released))
      if isOpen {
        let missing = UInt64(open.missing)
        open.lost += Int(min(count, missing))
        if isKept { contents.removeSubrange(openStart...) }
        isKept = false
        if open.missing == 0 { end(into: &tokens) }
        if count <= missing { return }
      } else if header.count > 0 {
        endHeader(into: &tokens)
        if case .done = state { return }
      }
      // A client's first record may say 1.0 whatever is agreed later.
      search = RecordSearch(version: hasRisen || lastVersion == .tls12 ? lastVersion : nil)
      state = .searching
      let place = range.upperBound..<range.upperBound
      tokens.append(
        .opaque(
          OpaqueStart(
            .hole, Excerpt([UInt8]().span, isPayload: false), ByteSpan(place, first: released, last: released))))
    }
  }

  package mutating func finish(_ end: DirectionEnd, into tokens: inout [RecordToken]) {
    switch state {
    case .done, .searching: break
    case .quoting(let cause): tellOpaque(cause, into: &tokens)
    case .reading:
      if isOpen {
        self.end(into: &tokens)
      } else if header.count > 0 {
        endHeader(into: &tokens)
      }
    }
    header.removeAll()
    state = .done
  }

  // MARK: Records

  /// Opens the record whose header becomes complete in this chunk; false where none does.
  private mutating func begin(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [RecordToken]
  ) -> Bool {
    position = header.take(chunk, from: position)
    guard header.isComplete else { return false }
    if index == 0, header.isSSLv2Hello {
      openSSLv2(into: &tokens)
      return true
    }
    guard header.canBegin(isFirst: index == 0) else {
      giveUp(.notTLS)
      return false
    }
    guard header.length <= TLSRecord.lengthLimit else {
      giveUp(.tooLong)
      return false
    }
    openRecord(into: &tokens)
    return true
  }

  private mutating func openRecord(into tokens: inout [RecordToken]) {
    open = record(length: header.length, headerReleased: released)
    open.oddities = noteOddities()
    open.notePause(from: header.first, to: released, acknowledged: acknowledged)
    isKept = keepsApplicationData || open.type != .applicationData && open.type != .heartbeat
    start(into: &tokens)
  }

  /// Its first three bytes of body are there.
  private mutating func openSSLv2(into tokens: inout [RecordToken]) {
    open = record(length: header.sslv2Length, headerReleased: released)
    open.type = .handshake
    open.version = .ssl2
    open.isSSLv2 = true
    open.received = 3
    isKept = true
    start(into: &tokens)
    for index in 2..<HeldRecordHeader.size { contents.append(header.bytes[index]) }
  }

  private mutating func start(into tokens: inout [RecordToken]) {
    isOpen = true
    openStart = contents.count
    header.removeAll()
    tokens.append(.recordStart(open))
  }

  /// Takes what of the rest of the chunk belongs to the record.
  private mutating func takeBody(_ chunk: borrowing CitedBytes, _ position: inout Int) {
    let taken = min(open.missing, chunk.bytes.count - position)
    guard taken > 0 else { return }
    if isKept {
      chunk.bytes.extracting(position..<position + taken).withUnsafeBufferPointer { contents.append(contentsOf: $0) }
    }
    position += taken
    open.received += taken
    let end = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    open.span.range = open.span.range.lowerBound..<max(open.span.range.upperBound, end)
    open.span.last = packet
    if open.released.number != released.number {
      open.notePause(from: open.released, to: released, acknowledged: acknowledged)
      open.released = released
    }
  }

  /// Ends the open record, whole or not.
  private mutating func end(into tokens: inout [RecordToken]) {
    if isKept, !open.isComplete { contents.removeSubrange(openStart...) }
    let range = openStart..<(isKept ? contents.count : openStart)
    tokens.append(.recordEnd(open, contents: range))
    openStart = contents.count
    isOpen = false
    index &+= 1
  }

  /// Ends a record of which not even the header is whole, or what cannot be one.
  private mutating func endHeader(into tokens: inout [RecordToken]) {
    guard header.canBegin(isFirst: index == 0) else {
      giveUp(.notTLS)
      return tellOpaque(.notTLS, into: &tokens)
    }
    tokens.append(.recordEnd(record(length: 0, headerReleased: nil), contents: contents.count..<contents.count))
    header.removeAll()
    index &+= 1
  }

  private func record(length: Int, headerReleased: PacketRef?) -> TLSRecord {
    let end = header.start &+ UInt64(header.count)
    return TLSRecord(
      index: index, type: header.type, version: header.version, length: length,
      span: ByteSpan(header.start..<max(header.start, end), first: header.first, last: packet),
      headerReleased: headerReleased, released: released)
  }

  /// Of the open record; its version is that to compare the next one with.
  private mutating func noteOddities() -> TLSRecord.Oddities {
    var oddities: TLSRecord.Oddities = []
    if !(TLSVersion.ssl3 ... .tls12).contains(open.version) { oddities.insert(.unknownVersion) }
    if let lastVersion, lastVersion != open.version {
      if hasRisen || open.version < lastVersion { oddities.insert(.versionChanged) }
      hasRisen = true
    }
    lastVersion = open.version
    if open.length == 0, open.type != .applicationData { oddities.insert(.empty) }
    if open.length > 1, open.type == .changeCipherSpec { oddities.insert(.longChangeCipherSpec) }
    return oddities
  }

  // MARK: What is no record

  /// What stands in `header` begins no record.
  private mutating func giveUp(_ cause: OpaqueStart.Cause) {
    quoted = (0..<header.count).map { header.bytes[$0] }
    quotedSpan = record(length: 0, headerReleased: nil).span
    header.removeAll()
    state = .quoting(cause)
  }

  private mutating func quote(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [RecordToken]
  ) {
    guard case .quoting(let cause) = state else { return }
    while position < chunk.bytes.count, quoted.count < OpaqueStart.excerptLimit {
      quoted.append(chunk.bytes[position])
      position += 1
    }
    let end = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    quotedSpan.range = quotedSpan.range.lowerBound..<max(quotedSpan.range.upperBound, end)
    quotedSpan.last = packet
    if quoted.count == OpaqueStart.excerptLimit { tellOpaque(cause, into: &tokens) }
  }

  private mutating func tellOpaque(_ cause: OpaqueStart.Cause, into tokens: inout [RecordToken]) {
    tokens.append(.opaque(OpaqueStart(cause, Excerpt(quoted.span, isPayload: false), quotedSpan)))
    quoted = []
    state = .done
  }

  /// Looks for the next record behind a hole.
  private mutating func look(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [RecordToken]
  ) {
    if !search.isAtHeader, !search.isFresh { position = search.pass(chunk.bytes, from: position) }
    guard search.isAtHeader || search.isFresh else { return }
    position = header.take(chunk, from: position)
    guard header.isComplete else { return }
    guard search.isFresh ? search.begins(with: header) : search.accepts(header) else {
      search.reject(header)
      header.removeAll()
      return
    }
    tokens.append(.resumed(at: header.start, header.first))
    state = .reading
    openRecord(into: &tokens)
    if open.missing == 0 { end(into: &tokens) }
  }
}

extension TLSRecord {
  /// Nothing yet.
  fileprivate static let none = TLSRecord(
    index: 0, type: .applicationData, version: .tls12, length: 0, span: ByteSpan(0..<0, first: .none, last: .none),
    headerReleased: nil, released: .none)
}

import Citation
import HTTP2Semantics
import HTTPSemantics

/// Reads the frames of one direction.
///
/// A frame's payload is a prefix (pad length, priority, promised stream, or all of a control frame), content (data or a
/// fragment of a header block) and padding. Content of DATA is named by its place and not touched; a length that is
/// announced is only counted down from.
///
/// Memory: one header, the prefix of one frame up to `prefixLimit`, and one header block up to HTTP2Block.limit.
///
/// Invariants: `held` is the header until it is complete, and then the prefix; `received` is at most the frame's length.
package struct HTTP2Parser: IncrementalParser, Sendable {
  package enum Start: Sendable {
    /// The client's side, from the preface on.
    case preface
    /// The server's side.
    case settings
    /// The server's side, of which the capture may lack the first frame.
    case lateSettings
    /// At a frame's header, somewhere in the connection.
    case frame
  }

  /// One hundred settings; nobody sends as many.
  private static let prefixLimit = 600

  /// What the receiver allows; the dialogue knows when it is raised.
  package var maxFrameSize: UInt32 = 16_384

  // What is looked at for each frame stands together.
  var stage: Stage
  var isFirst: Bool
  /// What was not captured may have been the beginning of a header block.
  var mayContinue: Bool
  var isBlockOpen = false
  /// A part of a header is in `held`.
  private(set) var isHolding = false
  private var held: [UInt8] = []
  private var headerStart: UInt64 = 0
  private var headerFirst = PacketRef.none
  var frame = HTTP2Frame(
    type: .data, flags: 0, stream: 0, length: 0, span: ByteSpan(0..<0, first: .none, last: .none), released: .none)
  var received: UInt32 = 0
  var prefix: UInt32 = 0
  var contentEnd: UInt32 = 0
  private let mayLackSettings: Bool
  /// The header block that is being put together; its flag is beside it, because an optional's payload is moved at every
  /// change.
  private var block = HTTP2Block(
    stream: 0, endsStream: false, span: ByteSpan(0..<0, first: .none, last: .none), released: .none)
  /// The fragment at hand belongs to it.
  private var takesFragment = false
  private var last = PacketRef.none
  private var lastReleased = PacketRef.none

  enum Stage: Sendable { case preface, header, payload, lost, done }

  package init(_ start: Start) {
    stage = start == .preface ? .preface : .header
    isFirst = start == .settings || start == .lateSettings
    mayLackSettings = start == .lateSettings
    mayContinue = start == .frame
  }

  /// It waits for `resume`.
  package var isLost: Bool { stage == .lost }
  package var isDone: Bool { stage == .done }
  package mutating func countHeld() -> Int { held.count + block.bytes.count }
  /// In the middle of a frame or of a header block.
  package var isInside: Bool { stage == .payload || !held.isEmpty || isBlockOpen }

  // MARK: Input

  package mutating func consume(_ chunk: borrowing CitedBytes, into tokens: inout [HTTP2Token]) {
    let count = chunk.bytes.count
    guard count > 0 else { return }
    last = chunk.packet
    lastReleased = chunk.released
    var position = 0
    while position < count {
      switch stage {
      case .preface: takePreface(chunk, &position, into: &tokens)
      case .header: takeHeader(chunk, &position, into: &tokens)
      case .payload: takePayload(chunk, &position, into: &tokens)
      case .lost, .done: return
      }
      if stage == .payload, received == frame.length { endFrame(chunk.offset &+ UInt64(position), into: &tokens) }
    }
  }

  package mutating func skip(gap range: Range<UInt64>, into tokens: inout [HTTP2Token]) {
    guard stage != .done, !range.isEmpty else { return }
    let outstanding = UInt64(stage == .payload ? frame.length - received : 0)
    let count = range.upperBound - range.lowerBound
    // Framing goes on behind a hole inside of a frame, and behind one that ends with it.
    guard stage == .payload, count <= outstanding, received >= prefix else { return lose(range, into: &tokens) }
    frame.missing += UInt32(count)
    if frame.type == .data {
      let content = UInt64(contentEnd - min(contentEnd, received))
      if content > 0 { tokens.append(.bodyLost(stream: frame.stream, count: min(content, count))) }
    } else if takesFragment {
      block.isWhole = false
    }
    received += UInt32(count)
    if received == frame.length { endFrame(range.upperBound, into: &tokens) }
  }

  /// Where the next frame begins is not known.
  package mutating func lose(_ range: Range<UInt64>, into tokens: inout [HTTP2Token]) {
    guard stage != .lost, stage != .done else { return }
    breakBlock(into: &tokens)
    clearHeld()
    isFirst = false
    stage = .lost
    tokens.append(.lost(range))
  }

  /// The next byte is the first of a frame.
  package mutating func resume() {
    guard stage == .lost else { return }
    stage = .header
    mayContinue = true
  }

  package mutating func finish(_ end: DirectionEnd, into tokens: inout [HTTP2Token]) {
    guard stage != .done else { return }
    if stage == .preface, !held.isEmpty { missPreface(into: &tokens) }
    breakBlock(into: &tokens)
    stage = .done
  }

  // MARK: Beginnings

  private mutating func takePreface(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [HTTP2Token]
  ) {
    beginHeld(chunk, position)
    let wanted = HTTP2Probe.preface.count
    while position < chunk.bytes.count, held.count < wanted {
      held.append(chunk.bytes[position])
      position += 1
      if held[held.count - 1] != HTTP2Probe.preface[held.count - 1] {
        missPreface(into: &tokens)
        stage = .done
        tokens.append(.opaque(from: headerStart, last))
        return
      }
    }
    guard held.count == wanted else { return }
    let end = headerStart &+ UInt64(wanted)
    tokens.append(.preface(ByteSpan(headerStart..<max(headerStart, end), first: headerFirst, last: last)))
    clearHeld()
    stage = .header
  }

  private mutating func missPreface(into tokens: inout [HTTP2Token]) {
    let end = max(headerStart, headerStart &+ UInt64(held.count))
    let none = HTTP2Frame(
      type: .data, flags: 0, stream: 0, length: 0, span: ByteSpan(headerStart..<end, first: headerFirst, last: last),
      released: lastReleased)
    tokens.append(.fault(HTTP2Fault(.prefaceMissing, none, bytes: held)))
  }

  private mutating func beginHeld(_ chunk: borrowing CitedBytes, _ position: Int) {
    guard held.isEmpty else { return }
    headerStart = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    headerFirst = chunk.packet
  }

  /// Emptied byte by byte: a header is short, and to replace a range takes as long as to read a frame.
  @inline(__always)
  private mutating func clearHeld() {
    isHolding = false
    if held.count <= 2 * HTTP2Frame.headerLength {
      while !held.isEmpty { held.removeLast() }
    } else {
      held.removeAll(keepingCapacity: true)
    }
  }

  // MARK: Headers

  @inline(__always)
  private mutating func takeHeader(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [HTTP2Token]
  ) {
    beginHeld(chunk, position)
    let taken = min(HTTP2Frame.headerLength - held.count, chunk.bytes.count - position)
    let bytes = chunk.bytes.extracting(position..<position + taken)
    position += taken
    if taken == HTTP2Frame.headerLength, !isFirst {
      // Read where it stands: few are cut.
      open(bytes)
    } else {
      bytes.withUnsafeBufferPointer { held.append(contentsOf: $0) }
      isHolding = true
      guard held.count == HTTP2Frame.headerLength else { return }
      let header = held
      open(header.span)
      if isFirst, !begins(into: &tokens) { return }
      clearHeld()
    }
    judgeHeader(into: &tokens)
    layOut()
    received = 0
    stage = .payload
  }

  @inline(__always)
  private mutating func open(_ header: Span<UInt8>) {
    let end = headerStart &+ UInt64(HTTP2Frame.headerLength)
    frame = HTTP2Frame(
      type: HTTP2FrameType(rawValue: header[3]), flags: header[4],
      stream: UInt32(header[5] & 0x7F) << 24 | UInt32(header[6]) << 16 | UInt32(header[7]) << 8 | UInt32(header[8]),
      length: UInt32(header[0]) << 16 | UInt32(header[1]) << 8 | UInt32(header[2]),
      span: ByteSpan(headerStart..<max(headerStart, end), first: headerFirst, last: last), released: lastReleased)
  }

  /// The server's first frame is SETTINGS. What is no frame at all is not read on.
  private mutating func begins(into tokens: inout [HTTP2Token]) -> Bool {
    isFirst = false
    let isSettings = frame.type == .settings && frame.stream == 0
    if mayLackSettings { return isSettings && !frame.isAcknowledgement || joins(into: &tokens) }
    guard !isSettings else { return true }
    tokens.append(.fault(HTTP2Fault(.prefaceMissing, frame, bytes: held)))
    guard !frame.type.isKnown || frame.length > maxFrameSize else { return true }
    stage = .done
    held.removeAll()
    tokens.append(.opaque(from: headerStart, last))
    return false
  }

  /// What came before this frame was not captured; or this is none, but the rest of one.
  private mutating func joins(into tokens: inout [HTTP2Token]) -> Bool {
    guard frame.type.isKnown, frame.length <= maxFrameSize else {
      lose(headerStart..<max(headerStart, frame.span.range.upperBound), into: &tokens)
      return false
    }
    mayContinue = true
    tokens.append(.lost(headerStart..<headerStart))
    return true
  }

  private mutating func judgeHeader(into tokens: inout [HTTP2Token]) {
    if frame.length > maxFrameSize {
      note(.frameTooLarge, value: UInt64(frame.length), limit: UInt64(maxFrameSize), into: &tokens)
    }
    let hasAnswerPayload = frame.type == .settings && frame.isAcknowledgement && frame.length > 0
    // A continuation is judged by what it continues.
    if let wantsStream = frame.type.wantsStream, wantsStream == (frame.stream == 0), frame.type != .continuation {
      note(.frameStream, into: &tokens)
    }
    if !hasPossibleLength, !hasAnswerPayload { note(.frameSize, value: UInt64(frame.length), into: &tokens) }
    if !frame.type.isKnown { note(.typeUnknown, value: UInt64(frame.type.rawValue), into: &tokens) }
    if hasAnswerPayload { note(.settingsAckPayload, into: &tokens) }
    judgeBlock(into: &tokens)
  }

  /// What the header means to the block that is open.
  private mutating func judgeBlock(into tokens: inout [HTTP2Token]) {
    takesFragment = false
    if isBlockOpen {
      guard frame.type == .continuation, frame.stream == block.stream else {
        note(frame.type == .continuation ? .continuationUnexpected : .blockInterrupted, into: &tokens)
        breakBlock(into: &tokens)
        return frame.type == .headers || frame.type == .pushPromise ? openBlock() : ()
      }
      block.frames += 1
      takesFragment = true
      if block.frames == HTTP2Block.frameLimit + 1, block.isWhole { flood(into: &tokens) }
    } else if frame.type == .continuation {
      if !mayContinue { note(.continuationUnexpected, into: &tokens) }
      return
    } else if frame.type == .headers || frame.type == .pushPromise {
      openBlock()
    }
    mayContinue = false
  }

  private mutating func openBlock() {
    block = HTTP2Block(
      stream: frame.stream, endsStream: frame.endsStream, span: frame.span, released: frame.released)
    isBlockOpen = true
    takesFragment = true
  }

  private mutating func flood(into tokens: inout [HTTP2Token]) {
    note(.continuationFlood, value: UInt64(block.frames - 1), limit: UInt64(HTTP2Block.frameLimit), into: &tokens)
    block.isWhole = false
  }

  private mutating func breakBlock(into tokens: inout [HTTP2Token]) {
    guard isBlockOpen else { return }
    isBlockOpen = false
    takesFragment = false
    block.isWhole = false
    tokens.append(.block(block))
    block.bytes = []
  }

  private func note(
    _ kind: HTTP2Fault.Kind, value: UInt64 = 0, limit: UInt64 = 0, into tokens: inout [HTTP2Token]
  ) {
    tokens.append(.fault(HTTP2Fault(kind, frame, value: value, limit: limit)))
  }

  // MARK: Data in its place

  /// A frame of data without padding has begun, and goes on behind the chunk.
  mutating func open(_ data: HTTP2Frame, at start: UInt64, received: UInt32) {
    frame = data
    headerStart = start
    takesFragment = false
    prefix = 0
    contentEnd = data.length
    self.received = received
    stage = .payload
  }

  /// Such a frame is over.
  mutating func endData(_ end: UInt64) -> HTTP2DataFrame {
    stage = .header
    frame.span.range = headerStart..<max(headerStart, end)
    return HTTP2DataFrame(
      stream: frame.stream, flags: frame.flags, length: frame.length, content: frame.length, padding: 0,
      span: frame.span, released: frame.released)
  }

  // MARK: Payloads

  private var isPadded: Bool {
    frame.flags & 0x8 != 0 && (frame.type == .data || frame.type == .headers || frame.type == .pushPromise)
  }

  private var hasPossibleLength: Bool {
    switch frame.type {
    case .priority: frame.length == 5
    case .reset, .windowUpdate: frame.length == 4
    case .ping: frame.length == 8
    case .goAway: frame.length >= 8
    case .settings: frame.length % 6 == 0
    case .data, .headers, .pushPromise: frame.length >= prefixLength
    default: true
    }
  }

  /// What stands before the content.
  private var prefixLength: UInt32 {
    let padding: UInt32 = isPadded ? 1 : 0
    switch frame.type {
    case .data: return padding
    case .headers: return padding + (frame.flags & 0x20 != 0 ? 5 : 0)
    case .pushPromise: return padding + 4
    default: return 0
    }
  }

  private mutating func layOut() {
    contentEnd = frame.length
    switch frame.type {
    case .data, .headers, .pushPromise: prefix = min(prefixLength, frame.length)
    case .continuation: prefix = 0
    case .priority, .reset, .settings, .ping, .goAway, .windowUpdate:
      let wanted = frame.type == .goAway ? UInt32(8 + HTTP2Frame.debugLimit) : UInt32(Self.prefixLimit)
      prefix = min(frame.length, wanted)
      contentEnd = prefix
    default:
      prefix = 0
      contentEnd = 0
    }
  }

  private mutating func takePayload(
    _ chunk: borrowing CitedBytes, _ position: inout Int, into tokens: inout [HTTP2Token]
  ) {
    let there = chunk.bytes.count - position
    let part = received < prefix ? prefix : received < contentEnd ? contentEnd : frame.length
    let taken = min(there, Int(part - received))
    guard taken > 0 else { return }
    let start = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    let bytes = chunk.bytes.extracting(position..<position + taken)
    if received < prefix {
      bytes.withUnsafeBufferPointer { held.append(contentsOf: $0) }
      if received == 0, isPadded { readPadding(into: &tokens) }
    } else if received < contentEnd {
      if frame.type == .data {
        tokens.append(.body(stream: frame.stream, range: start..<max(start, start &+ UInt64(taken))))
      } else if takesFragment {
        takeFragment(bytes, at: start, into: &tokens)
      }
    }
    received += UInt32(taken)
    position += taken
    frame.span.last = last
    frame.released = lastReleased
  }

  private mutating func readPadding(into tokens: inout [HTTP2Token]) {
    let padding = UInt32(held[0])
    if padding >= frame.length {
      note(.paddingInvalid, value: UInt64(padding), limit: UInt64(frame.length), into: &tokens)
    }
    contentEnd = max(prefix, frame.length - min(padding, frame.length))
  }

  private mutating func takeFragment(_ bytes: Span<UInt8>, at offset: UInt64, into tokens: inout [HTTP2Token]) {
    guard block.isWhole else { return }
    let index = block.bytes.count
    let kept = min(bytes.count, HTTP2Block.limit - index)
    block.trail.note(last, at: index)
    let expected = block.pieces.last.map { $0.offset &+ UInt64(index - $0.start) }
    if expected != offset { block.pieces.append(HTTP2Block.Piece(start: index, offset: offset)) }
    bytes.extracting(first: kept).withUnsafeBufferPointer { block.bytes.append(contentsOf: $0) }
    if kept < bytes.count { flood(into: &tokens) }
  }

  // MARK: Ends

  private mutating func endFrame(_ end: UInt64, into tokens: inout [HTTP2Token]) {
    frame.span.range = headerStart..<max(headerStart, end)
    frame.payload = payload
    clearHeld()
    stage = .header
    if frame.type == .windowUpdate, case .windowUpdate(0) = frame.payload { note(.windowUpdateZero, into: &tokens) }
    tokens.append(.frame(frame))
    guard takesFragment else { return }
    block.span = ByteSpan(
      block.span.range.lowerBound..<frame.span.range.upperBound, first: block.span.first, last: frame.span.last)
    block.released = frame.released
    if case .pushPromise(let promised) = frame.payload { block.promised = promised }
    guard frame.flags & 0x4 != 0 else { return }
    isBlockOpen = false
    takesFragment = false
    tokens.append(.block(block))
    block.bytes = []
  }

  private var payload: HTTP2Frame.Payload {
    guard frame.missing == 0 || frame.type == .data else { return .none }
    guard hasPossibleLength else { return .malformed }
    let bytes = ByteReader(held.span)
    switch frame.type {
    case .data:
      let content = contentEnd - min(prefix, contentEnd)
      return .data(bytes: content, padding: frame.length - content)
    case .priority: return .priority(dependsOn: (bytes.u32(0) ?? 0) & 0x7FFF_FFFF)
    case .reset: return .reset(HTTP2ErrorCode(bytes.u32(0) ?? 0))
    case .settings: return .settings(settings)
    case .pushPromise: return .pushPromise((bytes.u32(isPadded ? 1 : 0) ?? 0) & 0x7FFF_FFFF)
    case .ping: return .ping(bytes.u64(0) ?? 0)
    case .goAway:
      return .goAway(
        lastStream: (bytes.u32(0) ?? 0) & 0x7FFF_FFFF, HTTP2ErrorCode(bytes.u32(4) ?? 0),
        debug: Array(held.dropFirst(8)), debugBytes: frame.length - 8)
    case .windowUpdate: return .windowUpdate((bytes.u32(0) ?? 0) & 0x7FFF_FFFF)
    default: return .none
    }
  }

  private var settings: [HTTP2Setting] {
    let bytes = ByteReader(held.span)
    return stride(from: 0, to: held.count - held.count % 6, by: 6).map { index in
      HTTP2Setting(id: bytes.u16(index) ?? 0, value: bytes.u32(index + 2) ?? 0)
    }
  }
}

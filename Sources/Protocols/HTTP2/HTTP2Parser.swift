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
  static let prefixLimit = 600

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
  var held: [UInt8] = []
  var headerStart: UInt64 = 0
  private var headerFirst = PacketRef.none
  var frame = HTTP2Frame(
    type: .data, flags: 0, stream: 0, length: 0, span: ByteSpan(0..<0, first: .none, last: .none), released: .none)
  var received: UInt32 = 0
  var prefix: UInt32 = 0
  var contentEnd: UInt32 = 0
  private let mayLackSettings: Bool
  /// The header block that is being put together; its flag is beside it, because an optional's payload is moved at every
  /// change.
  var block = HTTP2Block(
    stream: 0, endsStream: false, span: ByteSpan(0..<0, first: .none, last: .none), released: .none)
  /// The fragment at hand belongs to it.
  var takesFragment = false
  var last = PacketRef.none
  var lastReleased = PacketRef.none

  enum Stage: Sendable { case preface, header, payload, lost, done }

  package init(_ start: Start) {
    stage = start == .preface ? .preface : .header
    isFirst = start == .settings || start == .lateSettings
    mayLackSettings = start == .lateSettings
    mayContinue = start == .frame
  }

  /// It waits for `resume`. Mutating, or the parser is copied for each look.
  package var isLost: Bool { mutating get { stage == .lost } }
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

  @inline(__always)
  mutating func clearHeld() {
    isHolding = false
    held.clear()
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
  mutating func open(_ header: Span<UInt8>) {
    let end = headerStart &+ UInt64(HTTP2Frame.headerLength)
    frame = HTTP2Frame(
      type: HTTP2FrameType(rawValue: header[3]), flags: header[4],
      stream: HTTP2Frame.stream(header, at: 0), length: HTTP2Frame.length(header, at: 0),
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

  mutating func flood(into tokens: inout [HTTP2Token]) {
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

  func note(
    _ kind: HTTP2Fault.Kind, value: UInt64 = 0, limit: UInt64 = 0, into tokens: inout [HTTP2Token]
  ) {
    tokens.append(.fault(HTTP2Fault(kind, frame, value: value, limit: limit)))
  }
}

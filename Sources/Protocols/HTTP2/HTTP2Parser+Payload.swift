import Citation
import HTTP2Semantics

// What a frame carries: padding and what is around it, fragments of header blocks, and its end.
extension HTTP2Parser {
  var isPadded: Bool {
    frame.flags & 0x8 != 0 && (frame.type == .data || frame.type == .headers || frame.type == .pushPromise)
  }

  var hasPossibleLength: Bool {
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
  var prefixLength: UInt32 {
    let padding: UInt32 = isPadded ? 1 : 0
    switch frame.type {
    case .data: return padding
    case .headers: return padding + (frame.flags & 0x20 != 0 ? 5 : 0)
    case .pushPromise: return padding + 4
    default: return 0
    }
  }

  mutating func layOut() {
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

  mutating func takePayload(
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

  mutating func readPadding(into tokens: inout [HTTP2Token]) {
    let padding = UInt32(held[0])
    if padding >= frame.length {
      note(.paddingInvalid, value: UInt64(padding), limit: UInt64(frame.length), into: &tokens)
    }
    contentEnd = max(prefix, frame.length - min(padding, frame.length))
  }

  mutating func takeFragment(_ bytes: Span<UInt8>, at offset: UInt64, into tokens: inout [HTTP2Token]) {
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

  mutating func endFrame(_ end: UInt64, into tokens: inout [HTTP2Token]) {
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

  var payload: HTTP2Frame.Payload {
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

  var settings: [HTTP2Setting] {
    let bytes = ByteReader(held.span)
    return stride(from: 0, to: held.count - held.count % 6, by: 6).map { index in
      HTTP2Setting(id: bytes.u16(index) ?? 0, value: bytes.u32(index + 2) ?? 0)
    }
  }
}

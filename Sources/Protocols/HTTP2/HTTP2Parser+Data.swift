import Citation
import HTTP2Semantics

/// Data that was read in its place, and of which nothing is to be said but where it is.
package struct HTTP2Data: Sendable {
  package var stream: UInt32
  /// Of the bytes, without the frame's header.
  package var range: Range<UInt64>
  /// The frame, where it ends with these bytes.
  package var frame: HTTP2DataFrame?
}

// Data in its place: nearly all frames are data, and nearly all bytes. Tokens say the same of them, and take as long to
// make, to keep and to look at as all else that is done for a short frame.
extension HTTP2Parser {
  /// The next data of a chunk, where it is of a frame without fault and without padding whose header is not cut. Otherwise
  /// nothing is read, and `consume` is to be asked.
  @inline(__always)
  package mutating func nextData(_ chunk: borrowing CitedBytes, _ position: inout Int) -> HTTP2Data? {
    switch stage {
    case .header: beginData(chunk, &position)
    case .payload: goOnWithData(chunk, &position)
    case .preface, .lost, .done: nil
    }
  }

  @inline(__always)
  private mutating func beginData(_ chunk: borrowing CitedBytes, _ position: inout Int) -> HTTP2Data? {
    let bytes = chunk.bytes
    let left = bytes.count - position
    guard left >= HTTP2Frame.headerLength, bytes[position + 3] == HTTP2FrameType.data.rawValue,
      bytes[position + 4] & 0x8 == 0, !isHolding, !isBlockOpen, !isFirst
    else { return nil }
    let length = HTTP2Frame.length(bytes, at: position)
    let stream = HTTP2Frame.stream(bytes, at: position)
    guard stream > 0, length <= maxFrameSize else { return nil }
    mayContinue = false
    let header = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    let start = header &+ UInt64(HTTP2Frame.headerLength)
    let flags = bytes[position + 4]
    let taken = min(Int(length), left - HTTP2Frame.headerLength)
    position += HTTP2Frame.headerLength + taken
    let end = max(start, start &+ UInt64(truncatingIfNeeded: taken))
    let span = ByteSpan(header..<max(header, end), first: chunk.packet, last: chunk.packet)
    guard taken == Int(length) else {
      open(
        HTTP2Frame(
          type: .data, flags: flags, stream: stream, length: length, span: span, released: chunk.released),
        at: header, received: UInt32(truncatingIfNeeded: taken))
      return HTTP2Data(stream: stream, range: start..<end)
    }
    return HTTP2Data(
      stream: stream, range: start..<end,
      frame: HTTP2DataFrame(
        stream: stream, flags: flags, length: length, content: length, padding: 0, span: span,
        released: chunk.released))
  }

  @inline(__always)
  private mutating func goOnWithData(_ chunk: borrowing CitedBytes, _ position: inout Int) -> HTTP2Data? {
    let left = chunk.bytes.count - position
    guard left > 0, frame.type == .data, received >= prefix, received < contentEnd else { return nil }
    let wanted = Int(contentEnd - received)
    // Its end is simple where nothing is behind the data, and nothing of it was missing.
    guard left < wanted || contentEnd == frame.length && prefix == 0 && frame.missing == 0 else { return nil }
    let taken = min(left, wanted)
    let start = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    let end = max(start, start &+ UInt64(truncatingIfNeeded: taken))
    received += UInt32(truncatingIfNeeded: taken)
    position += taken
    frame.span.last = chunk.packet
    frame.released = chunk.released
    guard taken == wanted else { return HTTP2Data(stream: frame.stream, range: start..<end) }
    return HTTP2Data(stream: frame.stream, range: start..<end, frame: endData(end))
  }

  /// A frame of data without padding has begun, and goes on behind the chunk.
  private mutating func open(_ data: HTTP2Frame, at start: UInt64, received: UInt32) {
    frame = data
    headerStart = start
    takesFragment = false
    prefix = 0
    contentEnd = data.length
    self.received = received
    stage = .payload
  }

  /// Such a frame is over.
  private mutating func endData(_ end: UInt64) -> HTTP2DataFrame {
    stage = .header
    frame.span.range = headerStart..<max(headerStart, end)
    return HTTP2DataFrame(
      stream: frame.stream, flags: frame.flags, length: frame.length, content: frame.length, padding: 0,
      span: frame.span, released: frame.released)
  }
}

extension HTTP2Frame {
  /// Of the header that begins at a place (RFC 9113 §4.1).
  @inline(__always)
  static func length(_ bytes: Span<UInt8>, at place: Int) -> UInt32 {
    UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2])
  }

  @inline(__always)
  static func stream(_ bytes: Span<UInt8>, at place: Int) -> UInt32 {
    UInt32(bytes[place + 5] & 0x7F) << 24 | UInt32(bytes[place + 6]) << 16 | UInt32(bytes[place + 7]) << 8
      | UInt32(bytes[place + 8])
  }
}

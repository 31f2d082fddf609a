import Citation
import HTTP2Semantics

/// Data that was read in its place, and of which nothing is to be said but where it is.
package struct HTTP2Data: Sendable {
  package var stream: UInt32
  /// Of the bytes, without the frame's header.
  package var range: Range<UInt64>
  /// Set where these bytes are all of a frame, whose header begins here.
  package var header: UInt64?
  package var flags: UInt8

  /// The frame that is whole here, and came in the packet of a chunk.
  @inline(__always)
  package func frame(in chunk: borrowing CitedBytes) -> HTTP2DataFrame? {
    guard let header else { return nil }
    let length = UInt32(truncatingIfNeeded: range.upperBound &- range.lowerBound)
    return HTTP2DataFrame(
      stream: stream, flags: flags, length: length, content: length, padding: 0,
      span: ByteSpan(header..<max(header, range.upperBound), first: chunk.packet, last: chunk.packet),
      released: chunk.released)
  }
}

// Data in its place: nearly all frames are data, and nearly all bytes. Tokens say the same of them, and take as long to
// make, to keep and to look at as all else that is done for a short frame.
extension HTTP2Parser {
  /// The next data of a chunk, if that is a frame which begins and ends in it and is without fault and without padding,
  /// or the rest of the chunk is all inside of one. Otherwise nothing is read, and `consume` is to be asked.
  @inline(__always)
  package mutating func nextData(_ chunk: borrowing CitedBytes, _ position: inout Int) -> HTTP2Data? {
    switch stage {
    case .header: wholeData(chunk, &position)
    case .payload: innerData(chunk, &position)
    case .preface, .lost, .done: nil
    }
  }

  @inline(__always)
  private mutating func wholeData(_ chunk: borrowing CitedBytes, _ position: inout Int) -> HTTP2Data? {
    let bytes = chunk.bytes
    let left = bytes.count - position
    guard left >= HTTP2Frame.headerLength, bytes[position + 3] == HTTP2FrameType.data.rawValue,
      bytes[position + 4] & 0x8 == 0, !isHolding, !isBlockOpen, !isFirst
    else { return nil }
    let length =
      UInt32(bytes[position]) << 16 | UInt32(bytes[position + 1]) << 8 | UInt32(bytes[position + 2])
    let stream =
      UInt32(bytes[position + 5] & 0x7F) << 24 | UInt32(bytes[position + 6]) << 16 | UInt32(bytes[position + 7]) << 8
      | UInt32(bytes[position + 8])
    guard stream > 0, length <= maxFrameSize, Int(length) <= left - HTTP2Frame.headerLength else { return nil }
    mayContinue = false
    let header = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    let start = header &+ UInt64(HTTP2Frame.headerLength)
    let data = HTTP2Data(
      stream: stream, range: start..<max(start, start &+ UInt64(length)), header: header, flags: bytes[position + 4])
    position += HTTP2Frame.headerLength + Int(length)
    return data
  }

  @inline(__always)
  private mutating func innerData(_ chunk: borrowing CitedBytes, _ position: inout Int) -> HTTP2Data? {
    let left = chunk.bytes.count - position
    guard frame.type == .data, received >= prefix, left > 0, received < contentEnd, left < Int(contentEnd - received)
    else { return nil }
    let start = chunk.offset &+ UInt64(truncatingIfNeeded: position)
    received += UInt32(truncatingIfNeeded: left)
    position += left
    frame.span.last = chunk.packet
    frame.released = chunk.released
    return HTTP2Data(
      stream: frame.stream, range: start..<max(start, start &+ UInt64(truncatingIfNeeded: left)), header: nil, flags: 0)
  }
}

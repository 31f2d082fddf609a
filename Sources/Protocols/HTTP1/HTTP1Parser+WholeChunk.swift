import Citation
import HTTPSemantics

/// A chunk that came in one piece, from its size line to its line end: what most servers write for an event.
package struct WholeChunk: Sendable {
  package let data: Range<UInt64>
  /// Where in the body the data stands.
  package let place: UInt64
  package let chunk: Chunk
}

extension HTTP1Parser {
  /// Takes bytes that are one chunk, no more and no less, with a size line of digits alone. Nil leaves them to `consume`,
  /// which would say the same with three tokens.
  @inline(__always)
  package mutating func takeWholeChunk(_ input: borrowing CitedBytes) -> WholeChunk? {
    guard case .chunkSize = state, sizeLine.length == 0 else { return nil }
    let count = input.bytes.count
    guard let (size, digits, _) = Self.plainSize(input.bytes, from: 0), size > 0,
      size == UInt64(truncatingIfNeeded: count &- digits &- 4), input.bytes[count - 2] == .carriageReturn,
      input.bytes[count - 1] == .lineFeed
    else { return nil }
    let start = input.offset
    let end = start &+ UInt64(truncatingIfNeeded: count)
    guard end > start else { return nil }
    let data = start &+ UInt64(truncatingIfNeeded: digits &+ 2)..<end &- 2
    let here = input.packet
    let whole = WholeChunk(
      data: data, place: message.bodyBytes,
      chunk: Chunk(
        index: message.chunkCount, size: size, span: ByteSpan(start..<end, first: here, last: here), dataFirst: here,
        dataLast: here, released: input.released, ending: .crlf, sizeLineApart: false, endApart: false))
    chunk = OpenChunk(
      size: size, start: start, first: here, sizeLineLast: here, dataFirst: here, dataLast: here,
      dataEnd: data.upperBound)
    message.chunkCount += 1
    message.bodyBytes &+= size
    packet = here
    released = input.released
    offset = end
    return whole
  }

  /// The size that the digits from `start` on are, how many they are, and how they are written, where CRLF follows them:
  /// nearly every size line is that.
  @inline(__always)
  static func plainSize(
    _ bytes: Span<UInt8>, from start: Int
  ) -> (size: UInt64, digits: Int, notes: ChunkSizeLine.Notes)? {
    var index = start
    var size: UInt64 = 0
    var capitals: UInt8 = 0
    let limit = min(bytes.count, start + 15)
    while index < limit {
      let value = bytes[index].hexadecimalValue
      if value > 15 { break }
      if value > 9 { capitals |= ~bytes[index] & 0x20 }
      size = size << 4 | UInt64(value)
      index += 1
    }
    guard index > start, index == start + 1 || bytes[start] != UInt8(ascii: "0"), index + 1 < bytes.count,
      bytes[index] == .carriageReturn, bytes[index + 1] == .lineFeed
    else { return nil }
    return (size, index - start, capitals == 0 ? .plain : .uppercase)
  }
}

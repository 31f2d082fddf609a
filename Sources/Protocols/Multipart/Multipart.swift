import Citation
// Multipart reads the body of a multipart message (RFC 2046 §5.1): forms and their files (RFC 7578), byte ranges, frames
// of x-mixed-replace. Its input is the body without any other framing; it reports where parts begin and end.
//
//   MultipartParser    the states: preamble, header of a part, its data, epilogue
//   PartDisposition    reads Content-Disposition as its sender meant it
//   HeldBody           the bytes that are not decided yet, with their packets
//
// It is no validator: it tolerates what a hand-written sender gets wrong, and names it. It keeps at most the length of a
// delimiter of data, and 8 KiB of a header. Its tokens are the same at every cut of the input.
import HTTPSemantics

/// What the parser emits, in the order of the body.
package enum MultipartToken: Hashable, Sendable {
  /// Bytes before the first delimiter.
  case preamble(MultipartAside)
  /// A line that opens a part.
  case delimiter(ByteSpan)
  case part(PartHead)
  case partEnd(PartEnd)
  /// The closing delimiter.
  case close(ByteSpan)
  /// Bytes behind the closing delimiter; a line end is usual there.
  case epilogue(MultipartAside)
  case lenience(MultipartLenience)
  /// The body is over; so many bytes of a closing delimiter that had begun are missing.
  case end(closeMissing: Int)
}

/// The header of a part.
package struct PartHead: Hashable, Sendable {
  /// From 1.
  package var number: Int
  package var block: HeaderBlock
  /// nil without Content-Disposition.
  package var disposition: PartDisposition?
  package var span: ByteSpan
}

/// The data of a part.
package struct PartEnd: Hashable, Sendable {
  package var number: Int
  package var bytes: UInt64
  /// The packets of the first and last byte; nil when there is none.
  package var first: PacketRef?
  package var last: PacketRef?
  /// A delimiter follows.
  package var isDelimited: Bool
}

/// Bytes that belong to no part.
package struct MultipartAside: Hashable, Sendable {
  package private(set) var bytes: UInt64 = 0
  /// Those that are neither blank nor part of a line end.
  package private(set) var visible: UInt64 = 0
  package private(set) var first = PacketRef.none
  package private(set) var last = PacketRef.none
  package private(set) var opening: [UInt8] = []

  package init() {}

  mutating func note(_ held: borrowing HeldBody, _ count: Int) {
    guard count > 0 else { return }
    if bytes == 0 { first = held.packet(at: 0) }
    last = held.packet(at: count - 1)
    bytes &+= UInt64(truncatingIfNeeded: count)
    for index in 0..<count {
      let byte = held.bytes[index]
      if !byte.isBlank, byte != .carriageReturn, byte != .lineFeed { visible &+= 1 }
      if opening.count < Excerpt.limit { opening.append(byte) }
    }
  }
}

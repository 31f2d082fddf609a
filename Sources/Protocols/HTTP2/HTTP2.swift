// HTTP2 reads one direction of an HTTP/2 connection (RFC 9113) and locates its frames: HTTP2Parser turns stream bytes
// into HTTP2Tokens, HTTP2Probe recognises HTTP/2 by content, in the middle of a connection, too.
//
// Header blocks are put together and not decoded: that is HPACK's, and the dialogue hands them over in their order. What
// a frame means to its stream and to the other side is the dialogue's, too. Its tokens are the same at every cut of the
// input.
import Citation
import HTTP2Semantics
import HTTPSemantics

/// What a parser emits, in stream order.
package enum HTTP2Token: Hashable, Sendable {
  /// The client's first 24 bytes.
  case preface(ByteSpan)
  /// Bytes of the DATA frame that is being read, without padding. Adjacent ones mean the same as one.
  case body(stream: UInt32, range: Range<UInt64>)
  /// Bytes of it that the capture lacks.
  case bodyLost(stream: UInt32, count: UInt64)
  /// A frame is complete.
  case frame(HTTP2Frame)
  /// A header block is complete, or will never be; behind its last frame.
  indirect case block(HTTP2Block)
  /// Before the frame that it is about, or where that ends.
  indirect case fault(HTTP2Fault)
  /// Where the next frame begins is not known: nothing is read until `resume`.
  case lost(Range<UInt64>)
  /// These bytes are no frames: nothing more is read from this offset on.
  case opaque(from: UInt64, PacketRef)
}

/// A header block: the fragments of HEADERS or PUSH_PROMISE and of the CONTINUATION frames behind it.
package struct HTTP2Block: Hashable, Sendable {
  package static let limit = 64 << 10
  package static let frameLimit = 16

  package var stream: UInt32
  /// The stream that a PUSH_PROMISE promises.
  package var promised: UInt32?
  package var endsStream: Bool
  package var bytes: [UInt8] = []
  /// The first byte of its first frame to the last of its last.
  package var span: ByteSpan
  package var released: PacketRef
  package var frames = 1
  /// All of it is in `bytes`.
  package var isWhole = true
  package var trail = PacketTrail()
  /// Where fragments begin: in `bytes`, and in the stream.
  var pieces: [Piece] = []

  struct Piece: Hashable, Sendable {
    var start: Int
    var offset: UInt64
  }

  /// Where a part of the block stood on the wire.
  package func citation(_ range: Range<Int>) -> ByteSpan {
    let start = offset(of: range.lowerBound)
    let end = offset(of: max(range.lowerBound, range.upperBound - 1)) &+ 1
    let packets = trail.span(of: range, base: 0)
    return ByteSpan(start..<max(start, end), first: packets.first, last: packets.last)
  }

  private func offset(of index: Int) -> UInt64 {
    // Nearly all have one piece.
    guard let piece = pieces.last(where: { $0.start <= index }) else { return span.range.lowerBound }
    return piece.offset &+ UInt64(index - piece.start)
  }
}

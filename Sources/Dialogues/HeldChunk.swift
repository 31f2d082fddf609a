import Citation

/// A chunk that is kept until it is known what it is, with its bytes.
struct HeldChunk: Sendable {
  private let bytes: [UInt8]
  private let offset: UInt64
  let packet: PacketRef
  private let released: PacketRef

  /// The part of a chunk from a place on.
  init(_ chunk: borrowing CitedBytes, from place: Int = 0) {
    bytes = chunk.bytes.extracting(place..<chunk.bytes.count).withUnsafeBytes { Array($0) }
    offset = chunk.offset &+ UInt64(truncatingIfNeeded: place)
    packet = chunk.packet
    released = chunk.released
  }

  var count: Int { bytes.count }

  var chunk: CitedBytes {
    @_lifetime(borrow self)
    get { CitedBytes(bytes.span, at: offset, in: packet, released: released) }
  }
}

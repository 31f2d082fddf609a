import Citation
import HTTP1

/// The first bytes of a body whose head was not captured, until they show what its items are.
///
/// At most `HTTP1Probe.limit` bytes, each with the packet that brought it.
struct JoinedOpening: Sendable {
  private var bytes: [UInt8] = []
  private var pieces: [(range: Range<Int>, packet: PacketRef)] = []

  /// Takes the next bytes and looks at all there are.
  mutating func take(_ more: Span<UInt8>, in packet: PacketRef, isFramed: Bool) -> OpenItems.Answer {
    guard bytes.count + more.count <= HTTP1Probe.limit || bytes.isEmpty else { return .none }
    let start = bytes.count
    more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    if let last = pieces.last, last.packet == packet {
      pieces[pieces.count - 1].range = last.range.lowerBound..<bytes.count
    } else {
      pieces.append((start..<bytes.count, packet))
    }
    return OpenItems.look(at: bytes.span, isFramed: isFramed)
  }

  /// What there is from a place on, packet by packet.
  func read(from start: Int, _ body: (Span<UInt8>, PacketRef) -> Void) {
    for piece in pieces where piece.range.upperBound > start {
      body(bytes.span.extracting(max(start, piece.range.lowerBound)..<piece.range.upperBound), piece.packet)
    }
  }
}

import Citation
import Decode

/// Segments that arrived before their turn.
///
/// Invariants: sorted by offset, no two overlap, none is empty; `byteCount` is the sum of their captured bytes.
package struct HoldQueue: Sendable {
  /// A run of stream bytes from one packet. Bytes past `bytes.count` were cut by the snapshot length.
  package struct Segment: Sendable {
    package var offset: UInt64
    package var length: UInt64
    package var bytes: [UInt8]
    package var packet: PacketRef
    /// What the history remembers of it: its segment, the window, and the place of `bytes` in it.
    var segment: TCPSegment
    var window: UInt32
    var position: Int

    package var end: UInt64 { offset &+ length }
  }

  /// Where a segment's bytes come from.
  package struct Source {
    let segment: TCPSegment
    /// Serial number of the window, zero when its bytes are not kept; and where the inserted bytes begin in it.
    let window: UInt32
    let position: Int
  }

  package private(set) var segments: [Segment] = []
  package private(set) var byteCount = 0

  /// With what each segment takes besides its bytes.
  @inline(__always)
  var heldBytes: Int { byteCount + segments.count * (MemoryLayout<Segment>.stride + 48) }

  package init() {}

  @inline(__always)
  package var isEmpty: Bool { segments.isEmpty }
  package var first: Segment? { segments.first }

  /// Keeps the parts of a segment that no earlier one covers, and answers whether anything was new. Covered parts are
  /// handed to `compare` with the bytes that came first.
  package mutating func insert(
    _ bytes: Span<UInt8>, length: UInt64, at offset: UInt64, _ source: Source,
    compare: (_ held: Segment, _ overlap: Range<UInt64>) -> Void
  ) -> Bool {
    var at = offset
    let end = offset &+ length
    var index = segments.partitioningIndex { $0.end > offset }
    var isNew = false
    while at < end {
      guard index < segments.count, segments[index].offset < end else {
        keep(bytes, from: offset, at..<end, source, index)
        return true
      }
      let held = segments[index]
      if at < held.offset {
        keep(bytes, from: offset, at..<held.offset, source, index)
        isNew = true
        index += 1
      }
      let overlap = max(at, held.offset)..<min(end, held.end)
      compare(held, overlap)
      at = overlap.upperBound
      index += 1
    }
    return isNew
  }

  /// Takes the first segment off.
  package mutating func removeFirst() -> Segment? {
    guard !segments.isEmpty else { return nil }
    let segment = segments.removeFirst()
    byteCount -= segment.bytes.count
    return segment
  }

  /// Whether a waiting segment is another recording of this packet.
  func holds(_ segment: TCPSegment, at offset: UInt64) -> Bool {
    guard let identification = segment.identification else { return false }
    return segments.contains { $0.offset == offset && $0.segment.identification == identification }
  }

  package mutating func removeAll() {
    segments.removeAll()
    byteCount = 0
  }

  private mutating func keep(
    _ bytes: Span<UInt8>, from offset: UInt64, _ part: Range<UInt64>, _ source: Source, _ index: Int
  ) {
    let low = min(Int(part.lowerBound - offset), bytes.count)
    let high = min(Int(part.upperBound - offset), bytes.count)
    let kept = Array(copying: bytes.extracting(low..<high))
    byteCount += kept.count
    segments.insert(
      Segment(
        offset: part.lowerBound, length: part.upperBound - part.lowerBound, bytes: kept,
        packet: source.segment.packet, segment: source.segment, window: source.window,
        position: source.position + low),
      at: index)
  }
}

extension Array<UInt8> {
  package init(copying bytes: Span<UInt8>) {
    self = bytes.withUnsafeBytes { Array($0) }
  }
}

extension Array {
  /// The first index whose element fulfils a predicate that is false for a prefix and true for the rest.
  fileprivate func partitioningIndex(_ predicate: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

import Citation
import Decode

/// Segments that arrived before their turn: behind a hole, or ahead of the bytes that they acknowledge.
///
/// Invariants: sorted by offset, no two overlap, none is empty; `byteCount` is the sum of their captured bytes. What was
/// taken off stands empty in front of `head` until it is as much as what is held: thousands of segments may wait behind
/// one that was lost, and all are taken off when its copy comes.
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
    /// How far the other side's stream has to be before this is delivered; zero where it does not matter.
    var needs: UInt64

    package var end: UInt64 { offset &+ length }
  }

  /// Where a segment's bytes come from.
  package struct Source {
    let segment: TCPSegment
    /// Serial number of the window, zero when its bytes are not kept; and where the inserted bytes begin in it.
    let window: UInt32
    let position: Int
    var needs: UInt64 = 0
  }

  private var slots: [Segment] = []
  private var head = 0
  package private(set) var byteCount = 0

  /// With what each segment takes besides its bytes.
  @inline(__always)
  var heldBytes: Int { byteCount + slots.count * (MemoryLayout<Segment>.stride + 48) }

  package init() {}

  @inline(__always)
  package var isEmpty: Bool { slots.isEmpty }
  package var first: Segment? { slots.isEmpty ? nil : slots[head] }
  package var segments: ArraySlice<Segment> { slots[head...] }
  package var count: Int { slots.count - head }

  /// Keeps the parts of a segment that no earlier one covers, and answers whether anything was new. Covered parts are
  /// handed to `compare` with the bytes that came first.
  package mutating func insert(
    _ bytes: Span<UInt8>, length: UInt64, at offset: UInt64, _ source: Source,
    compare: (_ held: Segment, _ overlap: Range<UInt64>) -> Void
  ) -> Bool {
    var at = offset
    let end = offset &+ length
    var index = firstIndex { $0.end > offset }
    var isNew = false
    while at < end {
      guard index < slots.count, slots[index].offset < end else {
        keep(bytes, from: offset, at..<end, source, index)
        return true
      }
      let held = slots[index]
      if at < held.offset {
        let before = slots.count
        keep(bytes, from: offset, at..<held.offset, source, index)
        isNew = true
        // One that went into the empty slot in front moved nothing.
        index += slots.count - before
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
    guard !slots.isEmpty else { return nil }
    let segment = slots[head]
    byteCount -= segment.bytes.count
    slots[head].bytes = []
    head += 1
    if head * 2 >= slots.count {
      slots.removeFirst(head)
      head = 0
    }
    return segment
  }

  /// Whether a waiting segment is another recording of this packet.
  func holds(_ segment: TCPSegment, at offset: UInt64) -> Bool {
    guard let identification = segment.identification else { return false }
    let index = firstIndex { $0.offset >= offset }
    return index < slots.count && slots[index].offset == offset
      && slots[index].segment.identification == identification
  }

  /// Of what waits, nothing needs more of the other side than that.
  mutating func forgetNeeds(upTo seen: UInt64) {
    for index in head..<slots.count where slots[index].needs <= seen { slots[index].needs = 0 }
  }

  package mutating func removeAll() {
    slots.removeAll()
    head = 0
    byteCount = 0
  }

  private mutating func keep(
    _ bytes: Span<UInt8>, from offset: UInt64, _ part: Range<UInt64>, _ source: Source, _ index: Int
  ) {
    let low = min(Int(part.lowerBound - offset), bytes.count)
    let high = min(Int(part.upperBound - offset), bytes.count)
    let kept = Array(copying: bytes.extracting(low..<high))
    byteCount += kept.count
    let segment = Segment(
      offset: part.lowerBound, length: part.upperBound - part.lowerBound, bytes: kept,
      packet: source.segment.packet, segment: source.segment, window: source.window,
      position: source.position + low, needs: source.needs)
    if index == head, head > 0 {
      head -= 1
      slots[head] = segment
    } else {
      slots.insert(segment, at: index)
    }
  }

  /// The first index of a segment that fulfils a predicate that is false for a prefix and true for the rest.
  private func firstIndex(where predicate: (Segment) -> Bool) -> Int {
    var low = head
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if predicate(slots[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Array<UInt8> {
  package init(copying bytes: Span<UInt8>) {
    self = bytes.withUnsafeBytes { Array($0) }
  }
}

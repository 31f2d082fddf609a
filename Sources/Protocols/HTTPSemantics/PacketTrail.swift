import Citation

/// Which packet carried each byte of a held block.
///
/// One packet needs no allocation. At most `limit` packets are distinguished; beyond that a span is rounded outwards,
/// never inwards: its first packet may be earlier and its last packet later than the true one.
package struct PacketTrail: Hashable, Sendable {
  package static let limit = 1024

  package private(set) var first: PacketRef = .none
  package private(set) var last: PacketRef = .none
  /// The packets after the first one, each with the index of its first byte.
  private var steps: [Step] = []
  package private(set) var isCoarse = false

  private struct Step: Hashable, Sendable {
    var start: UInt32
    var packet: PacketRef
  }

  package init() {}

  /// How many packets carried the block; beyond `limit` not all are counted.
  package var packets: Int { steps.count + 1 }

  /// In memory, beside itself.
  package var heldBytes: Int { ArrayRoom.grown(to: steps.count) * MemoryLayout<Step>.stride }

  /// Every byte came no earlier than those before it: none had to be retransmitted, or was overtaken.
  package var isInOrder: Bool {
    var number = first.number
    for step in steps {
      if step.packet.number < number { return false }
      number = step.packet.number
    }
    return true
  }

  /// Bytes from `index` on came in `packet`.
  package mutating func note(_ packet: PacketRef, at index: Int) {
    if index == 0 {
      first = packet
      steps.removeAll(keepingCapacity: steps.count <= 4)
      isCoarse = false
    } else if packet.number != last.number {
      if steps.count < PacketTrail.limit {
        steps.append(Step(start: UInt32(truncatingIfNeeded: index), packet: packet))
      } else {
        isCoarse = true
      }
    }
    last = packet
  }

  /// Forgets the packets of the first `count` bytes; `total` is the length of the block before.
  package mutating func dropFirst(_ count: Int, of total: Int) {
    guard count < total else {
      self = PacketTrail()
      return
    }
    first = packet(at: count)
    steps = steps.filter { $0.start > count }.map { Step(start: $0.start &- UInt32(count), packet: $0.packet) }
  }

  package func packet(at index: Int) -> PacketRef {
    guard !steps.isEmpty else { return first }
    var low = 0
    var high = steps.count
    while low < high {
      let middle = (low + high) / 2
      if Int(steps[middle].start) <= index { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : steps[low - 1].packet
  }

  /// The packets of a run of bytes in a block that begins at `base` in its stream.
  package func span(of range: Range<Int>, base: UInt64) -> ByteSpan {
    let end = max(range.lowerBound, range.upperBound - 1)
    let beyond = isCoarse && steps.last.map { Int($0.start) <= end } ?? false
    let lower = base &+ UInt64(truncatingIfNeeded: range.lowerBound)
    let upper = lower &+ UInt64(truncatingIfNeeded: range.count)
    return ByteSpan(
      lower..<max(lower, upper), first: packet(at: range.lowerBound), last: beyond ? last : packet(at: end))
  }
}

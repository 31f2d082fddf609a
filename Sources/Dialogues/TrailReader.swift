import Citation
import Events

/// Follows one body for a comparison.
struct TrailReader: Sendable {
  private(set) var trail: BodyTrail

  init(isDecoded: Bool) {
    trail = BodyTrail(isDecoded: isDecoded)
  }

  mutating func take(_ bytes: Span<UInt8>, in packet: PacketRef) {
    guard trail.isWhole, !bytes.isEmpty else { return }
    let kept = min(bytes.count, BodyTrail.openingLimit - trail.opening.count)
    if kept > 0 { bytes.extracting(first: kept).withUnsafeBufferPointer { trail.opening.append(contentsOf: $0) } }
    for index in bytes.indices {
      ContentHash.extend(&trail.hash, bytes[index])
      trail.bytes &+= 1
      if trail.bytes % trail.stride == 0 { mark() }
    }
    arrive(packet)
  }

  /// What follows is not known to be the same place of the body.
  mutating func miss() {
    trail.isWhole = false
  }

  private mutating func mark() {
    if trail.marks.count == BodyTrail.markLimit {
      // The marks at the multiples of the doubled stride stay; this one is at one of them, or is none any more.
      trail.marks = stride(from: 1, to: trail.marks.count, by: 2).map { trail.marks[$0] }
      trail.stride *= 2
      if trail.bytes % trail.stride != 0 { return }
    }
    trail.marks.append(trail.hash)
  }

  private mutating func arrive(_ packet: PacketRef) {
    let milestone = MessageRecord.Milestone(bytes: trail.bytes, packet: packet)
    if trail.arrivals.last?.packet == packet {
      trail.arrivals[trail.arrivals.count - 1] = milestone
      return
    }
    if trail.arrivals.count == BodyTrail.arrivalLimit {
      // The first one says when the body began.
      trail.arrivals = stride(from: 0, to: trail.arrivals.count, by: 2).map { trail.arrivals[$0] }
      trail.isThinned = true
    }
    trail.arrivals.append(milestone)
  }
}

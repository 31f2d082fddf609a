import Citation
import Decode

/// Retransmitted bytes, until they are acknowledged.
struct CopyInFlight: Sendable {
  let range: Range<UInt64>
  /// The sender's clock in the first copy; nil without time stamps.
  let stamp: UInt32?
  /// The last copy.
  var last: PacketRef
}

// Whether a copy was needed: an acknowledgement echoes the clock of the segment that it answers (RFC 3522 calls this
// Eifel), or reports the copy as received twice. While one is in flight every segment takes the slow path.
extension Connection {
  mutating func noteCopy(_ segment: TCPSegment, _ window: Span<UInt8>, at start: Int64, _ direction: Direction) {
    guard start >= 0, segment.payloadLength > 1 else { return }
    let end = UInt64(start) &+ UInt64(segment.payloadLength)
    guard end > half[direction].acked else { return }
    if let copy = half[direction].copy.copy {
      // A probe repeats the end of what is in flight; the timer's copies begin before it.
      if UInt64(start) <= copy.range.lowerBound, copy.range.lowerBound < end {
        half[direction].copy.value.last = segment.packet
      }
      return
    }
    half[direction].copy = Rare(
      CopyInFlight(
        range: UInt64(start)..<end, stamp: segment.options(in: window).timestamp,
        last: segment.packet))
    mayHaveHoles = true
  }

  /// Before an acknowledgement is taken.
  mutating func settleCopy(
    _ segment: TCPSegment, _ window: Span<UInt8>, _ direction: Direction, _ outputs: inout ReassemblyOutputs
  ) {
    let data = direction.opposite
    guard let copy = half[data].copy.copy,
      let offset = half[data].offset(of: SequenceNumber(segment.acknowledgment)),
      offset >= Int64(clamping: copy.range.upperBound)
    else { return }
    half[data].copy.remove()
    let options = segment.options(in: window)
    let echo = options.timestampEcho
    let isOlder = copy.stamp.map { stamp in echo.map { Int32(bitPattern: $0 &- stamp) < 0 } ?? false } ?? false
    // A block below the acknowledgement says that the bytes had come twice (RFC 2883).
    let isTwice =
      options.selectiveAcks.first.map { block in
        half[data].offset(of: SequenceNumber(block.lowerBound)) == Int64(clamping: copy.range.lowerBound)
      } ?? false
    outputs.observe(
      TCPObservation(
        .copyAcknowledged, segment.packet, data, range: copy.range, earlier: copy.last,
        value: isOlder || isTwice ? 1 : 0))
  }
}

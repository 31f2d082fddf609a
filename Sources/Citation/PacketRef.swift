/// The packet that carried something: what every finding cites.
package struct PacketRef: Hashable, Sendable {
  /// One-based position in the capture, as Wireshark counts.
  package var number: UInt64
  /// The capture's clock at this packet: the running maximum of packet times, so that a file whose time runs backwards
  /// never yields a negative delay.
  package var time: Timestamp

  @inline(__always)
  package init(number: UInt64, time: Timestamp) {
    self.number = number
    self.time = time
  }

  /// The segments of one write leave within so long; what the path or the capture makes of them is as close.
  private static let moment: Int64 = 100_000

  /// Whether a packet and one before it may be what was written in one go, in whatever segments.
  package func sharesMoment(with earlier: PacketRef) -> Bool {
    number == earlier.number || (0...Self.moment).contains(time.since(earlier.time))
  }

  /// Stands for "no packet yet" in state that is always overwritten before it is cited.
  package static let none = PacketRef(number: 0, time: .zero)
}

/// A run of stream bytes, with the packets of its first and last byte.
package struct ByteSpan: Hashable, Sendable {
  /// Offsets in the layer's own stream.
  package var range: Range<UInt64>
  package var first: PacketRef
  package var last: PacketRef

  package init(_ range: Range<UInt64>, first: PacketRef, last: PacketRef) {
    self.range = range
    self.first = first
    self.last = last
  }

  package var count: UInt64 { range.upperBound - range.lowerBound }
}

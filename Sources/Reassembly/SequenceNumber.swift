/// A TCP sequence number: a place on a circle of 2^32, where only differences mean something (RFC 9293 §3.4).
package struct SequenceNumber: Hashable, Sendable {
  package var raw: UInt32

  @inline(__always)
  package init(_ raw: UInt32) {
    self.raw = raw
  }

  /// How far `self` is past `other`; negative when before it.
  @inline(__always)
  package func distance(from other: SequenceNumber) -> Int64 {
    Int64(Int32(bitPattern: raw &- other.raw))
  }

  @inline(__always)
  package func advanced(by count: UInt64) -> SequenceNumber {
    SequenceNumber(raw &+ UInt32(truncatingIfNeeded: count))
  }
}

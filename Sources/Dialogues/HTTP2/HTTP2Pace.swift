import Citation

/// How busy one direction is: the time in which data followed data at once, and its bytes.
struct HTTP2Pace: Sendable {
  struct Sum: Sendable {
    var busy: Int64 = 0
    var bytes: UInt64 = 0

    func since(_ earlier: Sum) -> Sum { Sum(busy: busy &- earlier.busy, bytes: bytes &- earlier.bytes) }

    /// Others used most of a time, and more than a trickle of events would.
    func isFull(_ nanoseconds: Int64) -> Bool {
      busy >= nanoseconds / 5 &* 4 && bytes >= UInt64(max(0, nanoseconds / 15_000))
    }
  }

  private(set) var sum = Sum()
  private var last = PacketRef.none

  @inline(__always)
  mutating func note(_ packet: PacketRef, _ bytes: UInt64, _ trip: Int64) {
    if packet.number != last.number {
      let gap = packet.time.since(last.time)
      if last.number > 0, gap <= max(20_000_000, trip) { sum.busy &+= gap }
      last = packet
    }
    sum.bytes &+= bytes
  }
}

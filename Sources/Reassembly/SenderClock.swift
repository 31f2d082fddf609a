import Citation
import Decode

/// The clock in a sender's TCP timestamps (RFC 7323 §5.4), as its first bytes showed it.
struct SenderClock: Sendable {
  /// What a tick takes: Linux has milliseconds. The others, up to the second that RFC 7323 allows, say whether a slower
  /// clock would explain as much.
  private static let tick: Int64 = 1_000_000
  private static let otherTicks: [Int64] = [4_000_000, 10_000_000, 100_000_000, 500_000_000, 1_000_000_000]
  private static let least: Int64 = 250_000_000
  /// What came before the pause may have waited in a queue, too.
  private static let queue: Int64 = 500_000_000

  private var first: (stamp: UInt32, time: Timestamp)?

  mutating func begin(_ stamp: UInt32?, at time: Timestamp) {
    first = stamp.map { ($0, time) }
  }

  /// How long the packet with this stamp was on its way, of a pause that it ends; 0 where less than half of the pause.
  func underway(_ stamp: UInt32?, at time: Timestamp, pause: Int64) -> Int64 {
    guard let first, let stamp else { return 0 }
    let elapsed = time.since(first.time)
    let ticks = Int64(stamp &- first.stamp)
    // One that stands is none.
    guard ticks > 0 else { return 0 }
    let behind = elapsed &- ticks.saturatingMultiplied(by: Self.tick)
    // Two clocks drift apart by a few milliseconds in a minute.
    guard behind >= max(Self.least, pause / 2, elapsed / 1_000), behind <= pause &+ Self.queue else { return 0 }
    for other in Self.otherTicks {
      let told = ticks.saturatingMultiplied(by: other)
      if abs(elapsed &- told) <= max(2 &* other, elapsed / 50) { return 0 }
    }
    return min(behind, pause)
  }
}

extension TCPSegment {
  func options(in window: Span<UInt8>) -> TCPOptions { TCPOptions(window.extracting(optionsRange)) }
}

/// Counts of durations in buckets an eighth of an octave wide: quantiles of any number of samples in fixed space, within
/// about six per cent; the smallest and largest are exact.
package struct DurationHistogram: Sendable {
  private static let fraction = 3
  /// Of the buckets from `base` on: a histogram of second-long gaps needs no place for nanoseconds.
  private var counts: [UInt32] = []
  private var base = 0
  package private(set) var count: UInt64 = 0
  package private(set) var minimum: Int64?
  package private(set) var maximum: Int64?

  package init() {}

  package mutating func add(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    let bucket = Self.bucket(UInt64(value))
    if bucket < base || bucket - base >= counts.count { reach(bucket) }
    counts[bucket - base] &+= 1
    count += 1
    if value < minimum ?? .max { minimum = value }
    if value > maximum ?? -1 { maximum = value }
  }

  package mutating func add(_ other: DurationHistogram) {
    for (place, samples) in other.counts.enumerated() where samples > 0 {
      reach(other.base + place)
      counts[other.base + place - base] &+= samples
    }
    count += other.count
    minimum = [minimum, other.minimum].compactMap { $0 }.min()
    maximum = [maximum, other.maximum].compactMap { $0 }.max()
  }

  /// The duration that `percent` of the samples do not exceed.
  package func quantile(_ percent: UInt64) -> Int64? {
    guard let minimum, let maximum else { return nil }
    let rank = max(1, (count * percent + 99) / 100)
    var seen: UInt64 = 0
    for (place, samples) in counts.enumerated() {
      seen += UInt64(samples)
      if seen >= rank { return min(max(Int64(clamping: Self.middle(base + place)), minimum), maximum) }
    }
    return maximum
  }

  /// Each bucket that holds samples: a representative duration, and the count.
  package func forEach(_ body: (_ nanoseconds: Int64, _ samples: UInt64) -> Void) {
    guard let minimum, let maximum else { return }
    for (place, samples) in counts.enumerated() where samples > 0 {
      body(min(max(Int64(clamping: Self.middle(base + place)), minimum), maximum), UInt64(samples))
    }
  }

  /// Makes room for a bucket.
  private mutating func reach(_ bucket: Int) {
    if counts.isEmpty { base = bucket }
    if bucket < base {
      // One octave more, because lower values tend to follow.
      let start = max(0, bucket - 8)
      counts.insert(contentsOf: repeatElement(0, count: base - start), at: 0)
      base = start
    } else if bucket - base >= counts.count {
      counts.append(contentsOf: repeatElement(0, count: bucket - base + 1 - counts.count))
    }
  }

  private static func bucket(_ value: UInt64) -> Int {
    guard value >= 1 << fraction else { return Int(value) }
    let octave = 63 - value.leadingZeroBitCount
    let part = Int((value >> UInt64(octave - fraction)) & ((1 << fraction) - 1))
    return (octave - fraction + 1) << fraction | part
  }

  private static func middle(_ bucket: Int) -> UInt64 {
    guard bucket >= 1 << fraction else { return UInt64(bucket) }
    let octave = bucket >> fraction - 1 + fraction
    let part = UInt64(bucket & ((1 << fraction) - 1))
    let low = (UInt64(1) << UInt64(fraction) | part) << UInt64(octave - fraction)
    return low + (UInt64(1) << UInt64(octave - fraction)) / 2
  }
}

import Citation
import Events

/// The samples of one assertion, as far as its figure needs them.
///
/// Counts, sums and extremes are exact for any number of samples. A percentile keeps them all, up to `limit`; beyond, it is
/// made of buckets, and says so.
struct SampleTally {
  private let limit: Int
  private let keepsAll: Bool
  private(set) var count: UInt64 = 0
  private(set) var sum: Int128 = 0
  private(set) var smallest: (value: Int64, place: AssertionResult.Place?)?
  private(set) var largest: (value: Int64, place: AssertionResult.Place?)?
  private var samples: [Int64] = []
  private var histogram = ExponentialHistogram()
  /// A percentile is of buckets, and so is a mean of what came in buckets.
  private(set) var isRounded = false
  /// Things that would have a value, had they gone on.
  var unanswered: UInt64 = 0
  /// Of which it was not known whether they count.
  var undecided: UInt64 = 0

  init(_ aggregate: Aggregate, limit: Int) {
    self.limit = limit
    if case .percentile = aggregate { keepsAll = true } else { keepsAll = false }
  }

  mutating func add(_ value: Int64, _ place: AssertionResult.Place?) {
    count += 1
    sum += Int128(value)
    // Of equal ones the first.
    if smallest.map({ value < $0.value }) ?? true { smallest = (value, place) }
    if largest.map({ value > $0.value }) ?? true { largest = (value, place) }
    guard keepsAll else { return }
    if !isRounded, samples.count < limit { return samples.append(value) }
    round()
    histogram.add(value)
  }

  /// Samples of which only buckets were kept.
  mutating func add(_ other: ExponentialHistogram, _ place: AssertionResult.Place?) {
    guard let least = other.minimum, let most = other.maximum else { return }
    count += other.count
    other.forEach { sum += Int128($0) * Int128($1) }
    if smallest.map({ least < $0.value }) ?? true { smallest = (least, place) }
    if largest.map({ most > $0.value }) ?? true { largest = (most, place) }
    round()
    histogram.add(other)
  }

  private mutating func round() {
    guard !isRounded else { return }
    isRounded = true
    for sample in samples { histogram.add(sample) }
    samples = []
  }

  /// nil without a sample.
  func value(of percentile: Percentile) -> Int64? {
    guard count > 0 else { return nil }
    let rank = percentile.rank(of: count)
    guard isRounded else { return samples.sorted()[Int(rank) - 1] }
    var seen: UInt64 = 0
    var value: Int64?
    histogram.forEach { nanoseconds, samples in
      seen += samples
      if value == nil, seen >= rank { value = nanoseconds }
    }
    return value
  }
}

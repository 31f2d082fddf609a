import Citation

/// Counts of values, durations in nanoseconds or sizes in bytes, in buckets whose bounds are the powers of 2^(1/8).
///
/// That is scale 3 of OpenTelemetry's exponential histograms and schema 3 of Prometheus' native ones: bucket i holds what
/// is above 2^(i/8) and not above 2^((i+1)/8), and zero is counted apart. The bounds are the same for every histogram
/// there is. So histograms of parts add up to exactly that of the whole, bucket by bucket, whoever adds them; and any
/// quantile is known within five per cent (or one, of small values), in fixed space: below 2^63 there are 505 buckets.
///
/// https://opentelemetry.io/docs/specs/otel/metrics/data-model/#exponentialhistogram
package struct ExponentialHistogram: Sendable {
  /// The bounds are powers of 2^(2^-scale).
  package static let scale = 3

  /// Of the buckets from `base` on: a histogram of second-long gaps needs no place for nanoseconds. Zeros may stand at both
  /// ends.
  private var places: [UInt32] = []
  private var base = 0
  package private(set) var count: UInt64 = 0
  /// Not more than fits.
  package private(set) var sum: Int64 = 0
  /// Of no value at all, more than any and less than any.
  private var least = Int64.max
  private var most: Int64 = -1

  package init() {}

  package var minimum: Int64? { count > 0 ? least : nil }
  package var maximum: Int64? { count > 0 ? most : nil }

  /// A negative value, of clocks that ran backwards, counts as zero.
  package mutating func add(_ value: Int64) {
    let value = max(0, value)
    count += 1
    let (more, overflow) = sum.addingReportingOverflow(value)
    sum = overflow ? .max : more
    if value < least { least = value }
    if value > most { most = value }
    guard value > 0 else { return }
    let bucket = Self.bucket(of: UInt64(value))
    if bucket < base || bucket &- base >= places.count { reach(bucket) }
    places[bucket &- base] &+= 1
  }

  package mutating func add(_ other: ExponentialHistogram) {
    guard other.count > 0 else { return }
    for (place, samples) in other.places.enumerated() where samples > 0 {
      reach(other.base + place)
      places[other.base + place - base] &+= samples
    }
    count += other.count
    let (more, overflow) = sum.addingReportingOverflow(other.sum)
    sum = overflow ? .max : more
    least = min(least, other.least)
    most = max(most, other.most)
  }

  /// The bucket of the first of `counts`; 0 where there is none.
  package var offset: Int { places.firstIndex { $0 > 0 }.map { base + $0 } ?? 0 }

  /// Of positive values, from the first bucket that holds any to the last one.
  package var counts: ArraySlice<UInt32> {
    guard let first = places.firstIndex(where: { $0 > 0 }), let last = places.lastIndex(where: { $0 > 0 }) else {
      return []
    }
    return places[first...last]
  }

  package var zeroCount: UInt64 { count &- places.reduce(0) { $0 &+ UInt64($1) } }

  /// Makes room for a bucket, and for two octaves beyond it: those beside it tend to follow. The first one has an octave
  /// on either side, at once.
  @inline(never)
  private mutating func reach(_ bucket: Int) {
    let beyond = places.isEmpty ? Self.octave : 2 * Self.octave
    let start = max(Self.buckets.lowerBound, bucket - beyond)
    let end = min(Self.buckets.upperBound, bucket + 1 + beyond)
    if places.isEmpty {
      base = start
      places = [UInt32](repeating: 0, count: end - start)
    } else if bucket < base {
      places.insert(contentsOf: repeatElement(0, count: base - start), at: 0)
      base = start
    } else if bucket - base >= places.count {
      places.append(contentsOf: repeatElement(0, count: end - base - places.count))
    }
  }

  /// Buckets between a value and twice that.
  private static let octave = 1 << scale
}

extension ExponentialHistogram: Equatable {
  /// Whatever room there is at the ends.
  package static func == (left: ExponentialHistogram, right: ExponentialHistogram) -> Bool {
    left.count == right.count && left.sum == right.sum && left.minimum == right.minimum
      && left.maximum == right.maximum && left.offset == right.offset && left.counts == right.counts
  }
}

// MARK: - Figures

extension ExponentialHistogram {
  /// The value that `percent` of the samples do not exceed.
  package func quantile(_ percent: UInt64) -> Int64? {
    guard let minimum, let maximum else { return nil }
    let rank = max(1, (count * percent + 99) / 100)
    var seen = zeroCount
    if seen >= rank { return 0 }
    for (place, samples) in places.enumerated() {
      seen += UInt64(samples)
      if seen >= rank { return min(max(Self.middle(of: base + place), minimum), maximum) }
    }
    return maximum
  }

  /// Each bucket that holds samples, in order: a representative value, and the count.
  package func forEach(_ body: (_ value: Int64, _ samples: UInt64) -> Void) {
    guard let minimum, let maximum else { return }
    let zeros = zeroCount
    if zeros > 0 { body(0, zeros) }
    for (place, samples) in places.enumerated() where samples > 0 {
      body(min(max(Self.middle(of: base + place), minimum), maximum), UInt64(samples))
    }
  }
}

/// Numbers of one meaning: what is measured, in what unit, and where a document holds it.
///
/// All numbers are those of one capture, and another capture has numbers of its own. So of files none of them is a
/// counter, which goes on from where it was; histograms are, as usual, what was counted until their time. A live capture
/// goes on: what adds up is a counter there.
struct MetricFamily: Sendable {
  enum Unit: String, Sendable { case seconds, bytes }

  enum Kind: Sendable {
    /// So at a time.
    case state
    /// What was seen until then.
    case sum
    case histogram
  }

  /// With the unit, if there is one, as its last word.
  let name: String
  let unit: Unit?
  let kind: Kind
  let help: String
  let read: @Sendable (DocumentNode) -> [MetricPoint]

  /// The points of a document, each set of labels once: of a document that says something twice the sum.
  func points(of document: DocumentNode) -> [MetricPoint] {
    var points: [MetricPoint] = []
    for point in read(document) {
      if let place = points.firstIndex(where: { $0.labels == point.labels }) {
        points[place].value.add(point.value)
      } else {
        points.append(point)
      }
    }
    return points
  }
}

/// What a series is of. Few values each: no address, no port, nothing of a URL.
struct MetricLabel: Sendable, Equatable {
  let name: String
  let value: String
}

struct MetricPoint: Sendable {
  var labels: [MetricLabel] = []
  var value: MetricValue
}

/// Never negative, whatever a document says: a span or a count.
enum MetricValue: Sendable {
  case count(Int64)
  case nanoseconds(Int64)
  case histogram(MetricHistogram)

  mutating func add(_ other: MetricValue) {
    switch (self, other) {
    case (.count(let left), .count(let right)): self = .count(left.addingClamped(right))
    case (.nanoseconds(let left), .nanoseconds(let right)): self = .nanoseconds(left.addingClamped(right))
    case (.histogram(let left), .histogram(let right)): self = .histogram(left + right)
    default: break
    }
  }
}

/// Durations counted in buckets. The last count is of what is beyond all bounds.
struct MetricHistogram: Sendable {
  /// Ascending, in nanoseconds.
  let bounds: [Int64]
  /// One more than there are bounds; not cumulative.
  private(set) var counts: [Int64]
  private(set) var sum: Int64

  /// Nil unless bounds and counts belong together: a bucket that means something else is worse than none.
  init?(bounds: [Int64], counts: [Int64], sum: Int64) {
    guard let first = bounds.first, first > 0, counts.count == bounds.count + 1,
      zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.bounds = bounds
    self.counts = counts.map { max(0, $0) }
    self.sum = max(0, sum)
  }

  /// By bucket, what is in it and in all buckets below it.
  var cumulative: [Int64] {
    var total: Int64 = 0
    return counts.map { count in
      total = total.addingClamped(count)
      return total
    }
  }

  static func + (left: MetricHistogram, right: MetricHistogram) -> MetricHistogram {
    guard left.bounds == right.bounds else { return left }
    var both = left
    for (place, count) in right.counts.enumerated() { both.counts[place] = both.counts[place].addingClamped(count) }
    both.sum = left.sum.addingClamped(right.sum)
    return both
  }
}

extension Int64 {
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}

import Citation

/// A parsed assertion: `p99(sse.gap where path like "/v1/*") < 250ms`.
package struct Assertion: Sendable, Equatable {
  /// As it was written.
  package let text: String
  package let figure: Figure
  package let relation: Relation
  /// Of the figure's kind.
  package let limit: Literal

  init(text: String, _ figure: Figure, _ relation: Relation, _ limit: Literal) {
    self.text = text
    self.figure = figure
    self.relation = relation
    self.limit = limit
  }
}

/// One number over many samples.
package struct Figure: Sendable, Equatable {
  package let aggregate: Aggregate
  package let series: Series
  /// Which samples count; all if nil.
  package let condition: Condition?

  /// What it may be compared with.
  package var kind: Field.Kind {
    switch (aggregate, series.values) {
    case (.count, _), (.rate, _), (_, .counted): .number
    case (_, .many(let kind)), (_, .one(let kind)): kind
    }
  }
}

/// A series of samples.
package struct Series: Sendable, Equatable {
  package enum Values: Sendable, Equatable {
    /// The things are counted; where they are those of a capture, their number has a least and a most over captures.
    case counted(ofCapture: Bool)
    /// Each has a value.
    case many(Field.Kind)
    /// The capture has the value.
    case one(Field.Kind)
  }

  /// Letters and dots.
  package let name: String
  /// Its id for the evaluation.
  package let id: Int
  package let values: Values
  /// The fields of its samples for `where`.
  package let vocabulary: Vocabulary

  package init(_ name: String, id: Int, _ values: Values, _ vocabulary: Vocabulary) {
    self.name = name
    self.id = id
    self.values = values
    self.vocabulary = vocabulary
  }
}

package enum Aggregate: Sendable, Equatable {
  case count, minimum, maximum, mean, sum
  /// How many per second, over the whole capture.
  case rate
  /// The percentile: that many per cent of the samples are not larger.
  case percentile(Percentile)

  static let names = ["count", "min", "max", "mean", "sum", "rate", "p50", "p90", "p95", "p99", "p99.9"]
  /// Common other names.
  static let otherNames = [
    "avg": "mean", "average": "mean", "median": "p50", "minimum": "min", "maximum": "max", "total": "sum",
  ]

  init?(named name: String) {
    switch name {
    case "count": self = .count
    case "min": self = .minimum
    case "max": self = .maximum
    case "mean": self = .mean
    case "sum": self = .sum
    case "rate": self = .rate
    default: return nil
    }
  }
}

package struct Percentile: Sendable, Equatable {
  /// In thousandths of a per cent: p99.9 is 99,900.
  package let thousandths: UInt64
  static let whole: UInt64 = 100_000

  /// nil where it is not more than p0 and less than p100, or finer than a thousandth.
  init?(_ digits: some StringProtocol) {
    let halves = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 1 || (1...3).contains(halves[1].utf8.count),
      let value = Quantity.value(digits, times: 1_000), (1..<Int64(Self.whole)).contains(value)
    else { return nil }
    thousandths = UInt64(value)
  }

  /// With fewer samples it would be the smallest or largest of them.
  package var leastSamples: UInt64 {
    let rest = min(thousandths, Self.whole - thousandths)
    return (Self.whole + rest - 1) / rest
  }

  /// Of the sample that it is, from 1, among so many in order.
  package func rank(of count: UInt64) -> UInt64 {
    let (high, low) = count.multipliedFullWidth(by: thousandths)
    let (quotient, remainder) = Self.whole.dividingFullWidth((high, low))
    return max(1, quotient + (remainder > 0 ? 1 : 0))
  }
}

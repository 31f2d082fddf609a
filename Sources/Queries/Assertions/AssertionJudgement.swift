import Citation
import Events

/// What the samples of an assertion say.
struct AssertionJudgement {
  private let assertion: Assertion
  private let series: AssertionSeries
  private let tally: SampleTally
  private let summary: Summary
  private(set) var result: AssertionResult

  init(_ watch: AssertionRun.Watch, _ summary: Summary) {
    assertion = watch.assertion
    series = watch.series
    tally = watch.tally
    self.summary = summary
    let unit = Self.unit(of: assertion.figure, series)
    result = AssertionResult(
      text: assertion.text, relation: assertion.relation.rawValue, limit: Self.amount(assertion.limit, unit))
    result.samples = tally.count
    judge()
  }

  // MARK: Verdicts

  private mutating func judge() {
    if case .one = series.values {
      guard let value = series.value(of: summary) else { return inconclusive("the capture file does not record it") }
      result.samples = 1
      return compare(Int128(value), over: 1)
    }
    result.worst = worst
    let isDoubtful = tally.undecided > 0
    switch assertion.figure.aggregate {
    case .rate:
      guard summary.capture.duration > 0 else { return inconclusive("the capture has no duration") }
      compare(Int128(tally.count) * 1_000_000_000, over: Int128(summary.capture.duration))
    case .count: compare(Int128(tally.count), over: 1)
    case .minimum, .maximum:
      if case .counted = series.values {
        compare(Int128(tally.count), over: 1)
      } else {
        let extreme = assertion.figure.aggregate == .minimum ? tally.smallest : tally.largest
        guard let extreme else { return inconclusive(none) }
        compare(Int128(extreme.value), over: 1)
      }
    case .sum: compare(tally.sum, over: 1, isRounded: tally.isRounded)
    case .mean:
      guard tally.count > 0 else { return inconclusive(none) }
      compare(tally.sum, over: Int128(tally.count), isRounded: tally.isRounded)
    case .percentile(let percentile):
      guard let value = tally.value(of: percentile) else { return inconclusive(none) }
      compare(Int128(value), over: 1, isRounded: tally.isRounded)
      if tally.count < percentile.leastSamples {
        inconclusive(
          "needs \(Wording.count(percentile.leastSamples, "sample")), has \(Wording.number(tally.count))")
      }
    }
    if isDoubtful {
      inconclusive(
        "\(Wording.count(tally.undecided, "sample")) could not be tested: too many were waiting for their connection to end"
      )
    }
    addWhatWasNotSeen()
  }

  private var none: String {
    tally.unanswered > 0 ? "no samples: \(unanswered)" : "no samples"
  }

  private var unanswered: String { Wording.count(tally.unanswered, "exchange") + " without a response" }

  private mutating func inconclusive(_ why: String) {
    result.verdict = .inconclusive
    result.notes.append(why)
  }

  /// Compares a fraction with the limit, exactly; where it is of buckets, only if it is clear of the limit.
  private mutating func compare(_ value: Int128, over divisor: Int128, isRounded: Bool = false) {
    result.observed = observed(value, over: divisor)
    let isTrue = holds(value, over: divisor)
    result.verdict = isTrue ? .passed : .failed
    guard isRounded else { return }
    result.notes.append("within five per cent, from \(Wording.count(tally.count, "sample"))")
    // A bucket is an eighth of an octave wide, and what stands for it is in its middle.
    let bounds = [(value * 15, divisor * 16), (value * 17, divisor * 16)]
    let isClear = bounds.allSatisfy { holds($0.0, over: $0.1) == isTrue }
    if !isClear || assertion.relation == .equal { inconclusive("too close to the limit to decide") }
  }

  private func holds(_ value: Int128, over divisor: Int128) -> Bool {
    switch assertion.limit {
    case .nanoseconds(let limit): assertion.relation.holds(value, Int128(limit) * divisor)
    case .bytes(let limit): assertion.relation.holds(value, Int128(limit) * divisor)
    case .number(let limit): assertion.relation.holds(Double(value) / Double(divisor), limit)
    // Of another kind than the figure: the parser lets none through.
    case .status, .statuses, .text, .time: false
    }
  }

  // MARK: Figures

  private static func unit(of figure: Figure, _ series: AssertionSeries) -> AssertionResult.Amount.Unit {
    switch figure.aggregate {
    case .count: .count
    case .rate: .perSecond
    default: series.unit
    }
  }

  private static func amount(_ limit: Literal, _ unit: AssertionResult.Amount.Unit) -> AssertionResult.Amount {
    switch limit {
    case .nanoseconds(let value): return .init(value, unit)
    case .bytes(let value): return .init(Int64(clamping: value), unit)
    case .number(let value):
      if value < 1e15, value == value.rounded() { return .init(Int64(value), unit) }
      return .init(value < 1e12 ? Int64(value * 1_000) : .max, scale: 3, unit)
    case .status, .statuses, .text, .time: return .init(0, unit)
    }
  }

  private func observed(_ value: Int128, over divisor: Int128) -> AssertionResult.Amount {
    let unit = Self.unit(of: assertion.figure, series)
    guard unit == .perSecond else { return .init(Int64(clamping: value / divisor), unit) }
    return .init(Int64(clamping: value * 1_000 / divisor), scale: 3, unit)
  }

  /// The sample nearest to the wrong side of the limit; of what is counted the first.
  private var worst: AssertionResult.Place? {
    switch assertion.relation {
    case .greater, .greaterOrEqual: tally.smallest?.place
    case .less, .lessOrEqual, .equal, .unequal: tally.largest?.place
    }
  }

  // MARK: What was not seen

  /// More would have been worse: what the capture lacks may have been that.
  private mutating func addWhatWasNotSeen() {
    let isOfMost = assertion.relation != .greater && assertion.relation != .greaterOrEqual
    guard result.verdict == (isOfMost ? .passed : .failed) else { return }
    var unseen: [String] = []
    if let dropped = summary.capture.dropped, dropped > 0 {
      unseen.append("\(Wording.count(dropped, "packet")) dropped while capturing")
    }
    if summary.missingBytes > 0 { unseen.append("\(Wording.bytes(summary.missingBytes)) of stream data missing") }
    if !summary.capture.isComplete { unseen.append("whatever came after the end of the capture") }
    if !series.isOfTransport, summary.shutTLS > 0 {
      unseen.append("the content of \(Wording.count(summary.shutTLS, "TLS connection")) without keys")
    }
    if tally.unanswered > 0 { unseen.append(unanswered) }
    if !unseen.isEmpty { result.notes.append("not seen: " + unseen.joined(separator: ", ")) }
  }
}

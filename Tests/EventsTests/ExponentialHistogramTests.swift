import Support
import Testing

@testable import Events

@Suite("Histograms with exponential buckets")
struct ExponentialHistogramTests {
  /// Whether 2^(i/8) < value, by the definition and in whole numbers: 2^i < value^8.
  private func isAbove(_ value: UInt64, _ i: Int) -> Bool {
    guard i >= 0 else { return true }
    var power: [UInt64] = [1]
    for _ in 0..<8 {
      var carry: UInt64 = 0
      for place in power.indices {
        let (high, low) = power[place].multipliedFullWidth(by: value)
        let (sum, overflow) = low.addingReportingOverflow(carry)
        power[place] = sum
        carry = high + (overflow ? 1 : 0)
      }
      power.append(carry)
    }
    var bit = power.count * 64 - 1
    while bit > 0, power[bit / 64] >> UInt64(bit % 64) & 1 == 0 { bit -= 1 }
    guard bit == i else { return bit > i }
    // Above 2^i with the same highest bit: any other bit is set.
    return power.map(\.nonzeroBitCount).reduce(0, +) > 1
  }

  @Test("Each bucket ends where the definition says, to the last whole number.")
  func bounds() {
    for bucket in ExponentialHistogram.buckets {
      // The largest value that is not above 2^((bucket + 1)/8).
      var (low, high): (UInt64, UInt64) = (1, 1 << 63 - 1)
      if isAbove(low, bucket + 1) { continue }
      while low < high {
        let middle = low + (high - low + 1) / 2
        if isAbove(middle, bucket + 1) { high = middle - 1 } else { low = middle }
      }
      #expect(ExponentialHistogram.bucket(of: low) <= bucket)
      #expect(isAbove(low, ExponentialHistogram.bucket(of: low)))
      if low < 1 << 63 - 1 {
        #expect(ExponentialHistogram.bucket(of: low + 1) > bucket, "\(low + 1) after bucket \(bucket)")
      }
    }
    #expect(ExponentialHistogram.bucket(of: 1) == -1)
    #expect(ExponentialHistogram.bucket(of: 2) == 7)
    #expect(ExponentialHistogram.bucket(of: 1 << 63 - 1) == ExponentialHistogram.buckets.upperBound - 1)
  }

  @Test("Any value is in the bucket of the definition.", arguments: 1...8 as ClosedRange<UInt64>)
  func buckets(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let value = UInt64(Self.sample(&random)) + 1
      let bucket = ExponentialHistogram.bucket(of: value)
      #expect(isAbove(value, bucket) && !isAbove(value, bucket + 1), "\(value)")
    }
  }

  @Test(
    "Quantiles are within five per cent of the exact ones, and the ends are exact.",
    arguments: 1...20 as ClosedRange<UInt64>)
  func quantiles(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var histogram = ExponentialHistogram()
    let samples = (0..<Int.random(in: 1...2_000, using: &random)).map { _ in Self.sample(&random) }
    for sample in samples { histogram.add(sample) }
    let sorted = samples.sorted()
    #expect(histogram.count == UInt64(samples.count))
    #expect(histogram.minimum == sorted.first)
    #expect(histogram.maximum == sorted.last)
    for percent: UInt64 in [1, 5, 50, 90, 95, 99, 100] {
      let rank = max(1, (samples.count * Int(percent) + 99) / 100)
      let exact = sorted[rank - 1]
      let found = try #require(histogram.quantile(percent))
      // What is small is not rounded to fractions.
      #expect((found - exact).magnitude <= max(1, UInt64(exact) / 20), "p\(percent) of seed \(seed)")
    }
  }

  @Test("Parts add up to the whole, in any order.", arguments: 1...20 as ClosedRange<UInt64>)
  func parts(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var whole = ExponentialHistogram()
    var parts = [ExponentialHistogram](repeating: ExponentialHistogram(), count: Int.random(in: 1...9, using: &random))
    for _ in 0..<Int.random(in: 0...3_000, using: &random) {
      // No sum of these is beyond what fits.
      let value = Self.sample(&random)
      whole.add(value)
      parts[Int.random(in: parts.indices, using: &random)].add(value)
    }
    for order in [parts, parts.reversed(), parts.shuffled(using: &random)] {
      let sum = order.reduce(into: ExponentialHistogram()) { $0.add($1) }
      #expect(sum == whole)
      #expect(sum.zeroCount == whole.zeroCount)
      #expect(sum.counts.first != 0 && sum.counts.last != 0)
    }
    #expect(whole.zeroCount + whole.counts.reduce(0) { $0 + UInt64($1) } == whole.count)
  }

  @Test("An empty histogram has no quantile, negative values count as zero, and the largest has a place.")
  func ends() {
    var histogram = ExponentialHistogram()
    #expect(histogram.quantile(50) == nil)
    #expect(histogram.counts.isEmpty && histogram.offset == 0)
    histogram.add(-5)
    #expect(histogram.quantile(50) == 0)
    #expect(histogram.minimum == 0 && histogram.zeroCount == 1 && histogram.counts.isEmpty)
    histogram.add(.max)
    histogram.add(.max)
    #expect(histogram.maximum == .max && histogram.sum == .max)
    #expect(histogram.quantile(100).map { $0 > .max / 20 * 19 } == true)
    histogram.add(1)
    #expect(histogram.offset == -1 && histogram.counts.count == ExponentialHistogram.buckets.count)
  }

  /// Of all magnitudes from zero to hours in nanoseconds.
  private static func sample(_ random: inout SplitMix64) -> Int64 {
    Int64.random(in: 0...(1 << Int64.random(in: 0...43, using: &random)), using: &random)
  }
}

import Citation
import Events

/// The clocks of captures that were recorded at once, each on that of another which shows the same traffic.
package enum PointClocks {
  /// Fewer moments can agree by chance.
  private static let leastSamples = 4

  /// The clock of `b` on that of `a`, by what their exchanges share: for two sides of a proxy. nil where that is nothing.
  package static func alignment(of b: Recording, on a: Recording) -> ClockAlignment? {
    let pairs = ExchangeMatcher(a.exchanges, b.exchanges).matches.map {
      ComparedPair(a.exchanges[$0.a], b.exchanges[$0.b], $0.reason)
    }
    let bare = BareConnections(a.bare, b.bare).pairs
    let fit = ClockFit(pairs, bare)
    guard let alignment = fit.alignment else { return nil }
    if RelationFinder(pairs: pairs, bare: bare).relation(asked: nil).kind == .points { return alignment }
    // Exchanges that are only alike show no clock, unless all of them fit one.
    return fit.isPossible && alignment.samples >= leastSamples && pairs.allSatisfy(\.isSurelyAlike) ? alignment : nil
  }

  /// The clock of B on that of A, by packets that both recorded. nil without any; with packets of one direction alone the
  /// way between the points is taken for nothing.
  package static func alignment(_ moments: [SharedMoment]) -> ClockAlignment? {
    var samples: [ClockFit.Sample] = []
    for (_, ofHosts) in Dictionary(grouping: moments, by: \.hosts) {
      // What leaves for the other point is there later, what comes from there earlier.
      let fromLower = median(ofHosts, sentByLower: true)
      let fromUpper = median(ofHosts, sentByLower: false)
      let isLowerAtA = fromLower.flatMap { lower in fromUpper.map { lower >= $0 } } ?? true
      samples += ofHosts.map {
        let direction: Direction = $0.sentByLower == isLowerAtA ? .toServer : .toClient
        return ClockFit.Sample(direction: direction, at: $0.a, difference: $0.b.since($0.a))
      }
    }
    if let alignment = ClockFit(samples).alignment { return alignment }
    guard let first = samples.min(by: { $0.at < $1.at }) else { return nil }
    let differences = samples.map(\.difference).sorted()
    let middle = differences[differences.count / 2]
    return ClockAlignment(
      offset: middle, least: differences[0], most: differences[differences.count - 1], drift: nil, driftUncertainty: 0,
      samples: samples.count, at: first.at)
  }

  private static func median(_ moments: [SharedMoment], sentByLower: Bool) -> Int64? {
    let differences = moments.filter { $0.sentByLower == sentByLower }.map { $0.b.since($0.a) }.sorted()
    return differences.isEmpty ? nil : differences[differences.count / 2]
  }
}

import Citation
import Events

/// How long two runs took for each endpoint that was asked several times. One call is slower than another on any day: only
/// what the runs as a whole show, or what is beyond all that was seen in the other run, is a difference between them.
struct UsualPace {
  /// With fewer calls there is nothing usual.
  private static let leastCalls = 5

  /// In both runs, in order.
  private struct Times {
    var waits = BothSides<[Int64]>(a: [], b: [])
    var totals = BothSides<[Int64]>(a: [], b: [])
  }

  private var times: [EndpointName: Times] = [:]

  init(_ pairs: [ComparedPair]) {
    for pair in pairs {
      guard let name = pair.a.record.endpoint, name == pair.b.record.endpoint else { continue }
      for side in CompareSide.allCases {
        let record = pair[side].record
        if let wait = record.wait { times[name, default: Times()].waits[side].append(wait) }
        // A stream lasts as long as it is wanted.
        if record.kind == .plain, let total = record.total { times[name, default: Times()].totals[side].append(total) }
      }
    }
    for name in times.keys {
      for side in CompareSide.allCases {
        times[name]?.waits[side].sort()
        times[name]?.totals[side].sort()
      }
    }
  }

  /// Takes back that an exchange is slower where both runs have slower and faster ones alike.
  func settle(_ pair: inout ComparedPair, _ thresholds: Thresholds) {
    guard let side = pair.verdict(.slower)?.side, let name = pair.a.record.endpoint, let times = times[name] else {
      return
    }
    let record = pair[side].record
    let usual = [
      isUsual(record.wait, in: times.waits, side, thresholds),
      record.kind == .plain ? isUsual(record.total, in: times.totals, side, thresholds) : nil,
    ].compactMap { $0 }
    guard !usual.isEmpty, usual.allSatisfy({ $0 }) else { return }
    pair.verdicts.removeAll { $0.word == .slower }
    if pair.verdicts.isEmpty { pair.verdicts = [ComparisonVerdict(.identical)] }
  }

  /// nil where too few are known.
  private func isUsual(
    _ time: Int64?, in times: BothSides<[Int64]>, _ side: CompareSide, _ thresholds: Thresholds
  ) -> Bool? {
    let (own, other) = (times[side], times[side.other])
    guard let time, own.count >= Self.leastCalls, other.count >= Self.leastCalls, let longest = other.last else {
      return nil
    }
    return !thresholds.isLater(own[own.count / 2], than: other[other.count / 2])
      // The longest of a few is chance, too.
      && !thresholds.isLater(time, than: longest &+ longest / 2)
  }
}

extension Thresholds {
  /// By so much, and so many times as long: either alone is how networks are.
  func isLater(_ long: Int64, than short: Int64) -> Bool {
    guard long &- short >= self[.compareDelay] else { return false }
    let (least, overflow) = max(0, short).multipliedReportingOverflow(by: self[.compareRatio])
    return !overflow && long >= least / 100
  }
}

import CCount
import Platform

/// What one run took.
struct Cost {
  var nanoseconds: UInt64
  var allocations: UInt64

  static func of(_ body: () async throws -> Void) async rethrows -> Cost {
    let allocations = ccount_allocations()
    let start = ContinuousClock.now
    try await body()
    let elapsed = start.duration(to: .now).components
    return Cost(
      nanoseconds: UInt64(elapsed.seconds) * 1_000_000_000 + UInt64(elapsed.attoseconds / 1_000_000_000),
      allocations: ccount_allocations() - allocations)
  }

  /// The cost of the fastest of several runs.
  static func least(of runs: Int, _ body: () async throws -> Void) async rethrows -> Cost {
    var least = try await of(body)
    for _ in 1..<max(1, runs) {
      let next = try await of(body)
      if next.nanoseconds < least.nanoseconds { least = next }
    }
    return least
  }

  func megabytesPerSecond(_ bytes: UInt64) -> UInt64 { bytes * 1_000 / max(1, nanoseconds) }
}

/// The most memory the process has had, in MiB.
var peakMebibytes: Int { Program.peakMemory >> 20 }

/// A row of right-aligned cells after a left-aligned name.
func printRow(_ name: String, _ cells: String...) {
  let pad = { (text: String, width: Int) in String(repeating: " ", count: max(0, width - text.count)) }
  print(name + pad(name, 18) + cells.map { pad($0, 14) + $0 }.joined())
}

/// `numerator / denominator` with three decimals, rounded down.
func ratio(_ numerator: UInt64, _ denominator: UInt64) -> String {
  let thousandths = numerator * 1_000 / max(1, denominator)
  let digits = String(thousandths % 1_000)
  return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
}

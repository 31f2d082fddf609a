import Citation
import Events
import Platform

/// When the files that show the figures so far (metrics) are written again: no more than a twentieth of the time is spent
/// on it.
struct RewriteTurn {
  /// How often, at most.
  static let interval: Int64 = 5_000_000_000
  private static let restShare: Int64 = 20

  private var from: Int64 = 0

  mutating func take(_ write: () throws(ReportError) -> Void) throws(ReportError) {
    let began = SystemClock.monotonic
    guard began >= from else { return }
    try write()
    from = began + max(0, SystemClock.monotonic - began) * Self.restShare
  }
}

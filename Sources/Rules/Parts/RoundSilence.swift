import Citation

/// Timers are set to whole seconds, and run out a few milliseconds late.
enum RoundSilence {
  /// How early and how late a timer may look: its owner saw the last bytes a moment before or after this point.
  private static let tolerance: ClosedRange<Int64> = -5_000_000...30_000_000

  /// nil where no timer is likely: one is seldom set so.
  static func seconds(_ silence: Int64) -> Int64? {
    let seconds = (silence &+ 500_000_000) / 1_000_000_000
    guard tolerance.contains(silence &- seconds &* 1_000_000_000), seconds >= 2, seconds < 10 || seconds % 5 == 0 else {
      return nil
    }
    return seconds
  }
}

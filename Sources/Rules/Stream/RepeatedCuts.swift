import Citation
import Events

/// A cut after the same silence as one before is no coincidence: the timer is there.
struct RepeatedCuts: CaptureWatcher {
  /// Silences that are remembered.
  private static let limit = 256

  private var silences: [Int64] = []

  mutating func review(_ finding: inout Finding) {
    guard finding.rule == CutAtKnownTimeout.info.id || finding.rule == CutAfterRoundSilence.info.id else { return }
    let silence = finding.lastPacket.time.since(finding.firstPacket.time)
    if silences.contains(where: { $0.apart(from: silence) <= 500_000_000 }) {
      finding.confidence = finding.confidence == .low ? .medium : .high
    } else if silences.count < Self.limit {
      silences.append(silence)
    }
  }
}

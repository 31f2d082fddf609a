import Citation
import Events

/// Requests that were lost because their server was closing the connection: where the client repeats such a request at once
/// and is answered, nothing was lost.
///
/// A finding is held for a second of the capture's time, until that is known. Bounded: where too many are held already,
/// others are reported at once.
package struct RacedRequests: Sendable {
  /// What waits no longer than this is not late.
  private static let prompt: Int64 = 100_000_000

  private var held = HeldBack<Finding>(nanoseconds: 1_000_000_000, limit: 256)

  package init() {}

  /// Whether it is held here, and is not to be reported now.
  package mutating func hold(_ finding: Finding, at clock: Timestamp) -> Bool {
    finding.rule == KeepaliveRace.info.id && finding.isDiagnosis && finding.causedBy == nil
      && held.hold(finding, at: clock)
  }

  package var isEmpty: Bool { held.isEmpty }

  /// Those that were held long enough, or without a time all of them.
  package mutating func taken(at clock: Timestamp?, _ rules: borrowing CaptureRules) -> [Finding] {
    held.taken(at: clock).map { finding in
      guard let leg = finding.leg, let delay = rules.repetition(of: leg) else { return finding }
      var finding = finding
      finding.message.text += " The client repeated it \(Wording.duration(delay)) later, and was answered."
      finding.cost = delay < Self.prompt ? .none : .delay(nanoseconds: delay)
      finding.severity = delay < Self.prompt ? .note : .warning
      return finding
    }
  }
}

import Citation
import Events
import Queries
import Rules

/// Findings that wait for what happens next: that may take back their cost, or be their cause.
struct HeldFindings: Sendable {
  private var refusals = RefusedAttempts()
  private var proxied = ProxiedFindings()

  mutating func begin(_ parties: FindingParties, at time: Timestamp) {
    refusals.begin(parties, at: time)
    proxied.begin(parties)
  }

  /// Asked with each item.
  private(set) var isEmpty = true

  /// Whether it is held here, and is not to be reported now.
  mutating func hold(_ finding: Finding, at clock: Timestamp) -> Bool {
    guard refusals.hold(finding, at: clock) || proxied.hold(finding, at: clock) else { return false }
    isEmpty = false
    return true
  }

  /// Those that were held long enough, or without a time all of them.
  mutating func due(at clock: Timestamp?, _ rules: borrowing CaptureRules, _ selection: ItemSelection) -> [Finding] {
    var findings = clock.map { refusals.judged(at: $0) } ?? refusals.judged()
    for var finding in clock.map({ proxied.due(at: $0) }) ?? proxied.all() {
      if let cause = rules.cause(of: finding), selection.accepts(cause) { finding.causedBy = cause }
      findings.append(finding)
    }
    isEmpty = refusals.isEmpty && proxied.isEmpty
    return findings
  }
}

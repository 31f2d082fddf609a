import Citation
import Events

/// Habits of a peer, that nearly every message of a connection shows: told once, by the first message with it, and counted.
struct LintTally: Sendable {
  private var findings: [Finding] = []

  /// Counts one more, or keeps the first.
  mutating func note(_ rule: RuleID, _ direction: Direction, _ first: () -> Finding) {
    if let at = findings.firstIndex(where: { $0.rule == rule && $0.direction == direction }) {
      findings[at].count &+= 1
    } else {
      findings.append(first())
    }
  }

  mutating func taken() -> [Finding] {
    defer { findings.removeAll() }
    return findings
  }
}

import Citation
import Events

/// Habits of a peer, that nearly every message of a connection shows.
struct PeerHabits: ConnectionWatcher {
  static let interests: EventKinds = .connectionClosed

  private var tally = LintTally()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    for rule in RuleIndex.peerHabitRules { rule.observe(exchange, in: context, tally: &tally) }
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .connectionClosed = event else { return }
    for finding in tally.taken() { report(finding) }
  }
}

/// Counts what a peer does in message after message.
protocol PeerHabitRule: Rule {
  static func observe(_ exchange: ExchangeRecord, in context: FlowContext, tally: inout LintTally)
}

/// What is reported once, by the first message that shows it, and counted.
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

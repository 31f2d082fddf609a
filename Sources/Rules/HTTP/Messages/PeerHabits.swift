import Citation
import Events

/// Habits of a peer, that nearly every message of a connection shows.
struct PeerHabits: ConnectionWatcher {
  static var interests: EventKinds { .connectionClosed }

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

  /// Behind a proxy one connection carries the requests of many agents; those of the first ones are told apart.
  private static let limit = 16

  /// Counts one more, or keeps the first. `habit` says whose it is where connections share it.
  mutating func note(_ rule: RuleID, _ direction: Direction, of habit: Int? = nil, _ first: () -> Finding) {
    let isFull = findings.count >= Self.limit
    // By place: a finding that is taken into the hand is copied.
    for at in findings.indices
    where findings[at].direction == direction && (isFull || findings[at].habit == habit) && findings[at].rule == rule {
      findings[at].count &+= 1
      return
    }
    var finding = first()
    finding.habit = habit
    findings.append(finding)
  }

  mutating func taken() -> [Finding] {
    defer { findings.removeAll() }
    return findings
  }
}

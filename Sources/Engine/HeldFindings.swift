import Citation
import Events
import Queries
import Rules

/// Findings that wait for what happens next: that may take back their cost, or be their cause.
struct HeldFindings: Sendable {
  private var refusals = RefusedAttempts()
  private var proxied = ProxiedFindings()
  private var raced = RacedRequests()
  private var stopped = StoppedServers()
  private var silent = SilentHosts()
  /// Nothing more happens: what is found now is held no longer, and may still have a cause.
  private var isOver = false

  mutating func begin(_ parties: FindingParties, at time: Timestamp) {
    refusals.begin(parties, at: time)
    proxied.begin(parties)
  }

  /// A connection is over: its client may have been refused before or after.
  mutating func close(_ record: ConnectionRecord) {
    guard !record.isMidstream, record.roundTrip.serverNanoseconds != nil else { return }
    refusals.accepted(
      FindingParties(client: record.client, server: record.server), at: record.firstPacket.time)
  }

  /// A host is silent, or was.
  mutating func note(_ silence: HostSilence) { silent.note(silence) }
  mutating func note(_ flow: UnansweredFlow, on id: FlowID, _ number: Int) { silent.note(flow, on: id, number) }

  /// Asked with each item.
  func hasNone(dueAt clock: Timestamp) -> Bool {
    refusals.isEmpty && proxied.isEmpty && raced.isEmpty && stopped.hasNone(dueAt: clock)
      && silent.hasNone(dueAt: clock)
  }

  /// Whether it is held here, and is not to be reported now.
  mutating func hold(_ finding: inout Finding, at clock: Timestamp) -> Bool {
    guard !isOver else { return stopped.hold(&finding, at: nil, &refusals) || silent.hold(&finding) }
    return refusals.hold(&finding, at: clock) || proxied.hold(finding, at: clock) || raced.hold(finding, at: clock)
      || stopped.hold(&finding, at: clock, &refusals) || silent.hold(&finding)
  }

  /// Whether one of a rule is held that is reported whatever comes.
  func willTell(_ rule: RuleID) -> Bool { proxied.isHeld(rule) || stopped.isHeld(rule) || refusals.isHeld(rule) }

  /// Those that were held long enough, or without a time all of them.
  mutating func due(at clock: Timestamp?, _ rules: borrowing CaptureRules, _ selection: ItemSelection) -> [Finding] {
    isOver = clock == nil
    var findings = refusals.judged(at: clock)
    var others = raced.taken(at: clock, rules)
    for var finding in proxied.taken(at: clock) {
      let cause = rules.cause(of: finding, isAlone: selection.connection != nil)
      if let cause, selection.accepts(cause) {
        finding.causedBy = cause
      } else if let fix = rules.fix(of: finding) {
        finding.fix = fix
      }
      others.append(finding)
    }
    var rest: [Finding] = []
    for var finding in others where !stopped.hold(&finding, at: clock, &refusals) { rest.append(finding) }
    rest += stopped.taken(at: clock, &refusals)
    findings += refusals.concluded(at: clock)
    for var finding in rest where !silent.hold(&finding) { findings.append(finding) }
    return findings + silent.due(at: clock)
  }
}

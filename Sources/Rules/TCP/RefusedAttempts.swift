import Citation
import Events

/// What clients tried around each refusal: one of localhost's two addresses refuses and the other answers, or a scan
/// finds closed ports. Nothing failed there, and no connection alone can show it.
///
/// A refusal is held for a second of the capture's time, until all that the client did next is known; then those of one
/// client and server are one series. Bounded: the newest attempts are remembered, and where too many refusals are held
/// already, others are reported at once.
package struct RefusedAttempts: Sendable {
  private struct Attempt {
    let time: Timestamp
    let server: Endpoint
  }

  private struct Refusal {
    let finding: Finding
    let time: Timestamp
    let parties: FindingParties
  }

  static let patience: Int64 = 1_000_000_000
  private static let attemptLimit = 1_024
  private static let refusalLimit = 256

  /// Those on loopback addresses.
  private var attempts: [Attempt] = []
  private var oldest = 0
  private var scans = PortScans()
  private var held = HeldBack<Refusal>(nanoseconds: patience, limit: refusalLimit)
  /// Those on loopback addresses that were refused, the newest.
  private var refused: [Attempt] = []
  private var series = RefusalSeries()

  package init() {}

  package mutating func begin(_ parties: FindingParties, at time: Timestamp) {
    scans.add(parties, at: time)
    guard parties.server.address.isLoopback else { return }
    let attempt = Attempt(time: time, server: parties.server)
    if attempts.count < Self.attemptLimit {
      attempts.append(attempt)
    } else {
      attempts[oldest] = attempt
      oldest = (oldest + 1) % Self.attemptLimit
    }
  }

  /// Whether it is held here, and is not to be reported now. Where too many are, it is judged by what is known.
  package mutating func hold(_ finding: inout Finding, at clock: Timestamp) -> Bool {
    guard finding.rule == ConnectRefused.info.id, let parties = finding.parties else { return false }
    let refusal = Refusal(finding: finding, time: finding.lastPacket.time, parties: parties)
    if parties.server.address.isLoopback {
      if refused.count == Self.refusalLimit { refused.removeFirst() }
      refused.append(Attempt(time: refusal.time, server: parties.server))
    }
    if held.hold(refusal, at: clock) { return true }
    finding = judged(refusal)
    return finding.isDiagnosis && series.take(finding, at: clock)
  }

  package var isEmpty: Bool { held.isEmpty && series.isEmpty }

  /// A connection is over, of which the server had accepted the attempt.
  package mutating func accepted(_ parties: FindingParties, at time: Timestamp) { series.accept(parties, at: time) }

  /// Whether a refusal is held that is reported whatever comes.
  package func isHeld(_ rule: RuleID) -> Bool { rule == ConnectRefused.info.id && !series.isEmpty }

  /// Names the cause of a connection's end, where its server refused others at that time.
  mutating func explain(_ cut: inout Finding) -> Bool {
    guard series.explain(cut) else { return false }
    cut.causedBy = ConnectRefused.info.id
    return true
  }

  /// Those that were held long enough, or without a time all of them, and belong to no series. What they explain is asked
  /// before the series are reported.
  package mutating func judged(at clock: Timestamp?) -> [Finding] {
    var findings: [Finding] = []
    for refusal in held.taken(at: clock) {
      let finding = judged(refusal)
      guard !finding.isDiagnosis || !series.take(finding, at: clock ?? refusal.time) else { continue }
      findings.append(finding)
    }
    return findings
  }

  /// Series that are over, or without a time all of them.
  package mutating func concluded(at clock: Timestamp?) -> [Finding] { series.due(at: clock) }

  /// As a note, where nothing failed.
  private func judged(_ refusal: Refusal) -> Finding {
    var finding = refusal.finding
    if let reason = harmlessBecause(refusal) {
      finding.message = FindingMessage("\(finding.message.text) \(reason)")
      finding.cost = .none
      finding.severity = .note
      finding.fix = nil
    }
    return finding
  }

  private func harmlessBecause(_ refusal: Refusal) -> String? {
    if let next = otherLoopback(refusal) {
      let order = next.time >= refusal.time ? "then asked" : "had asked"
      return "The client \(order) \(next.server), the other address of localhost, and was not refused."
    }
    guard scans.covers(refusal.parties, at: refusal.time) else { return nil }
    return "The client tried port after port of this address at that time: a scan."
  }

  /// The attempt on localhost's other address at about the same time, where that was not refused, too: right after this one,
  /// or a little before it, where the client does not wait for the first address any longer.
  private func otherLoopback(_ refusal: Refusal) -> Attempt? {
    let server = refusal.parties.server
    guard server.address.isLoopback else { return nil }
    let others = attempts.filter { attempt in
      attempt.time.apart(from: refusal.time) < Self.patience
        && attempt.server.port == server.port && attempt.server.address != server.address
        && !refused.contains { $0.server == attempt.server && $0.time >= attempt.time }
    }
    return others.first { $0.time >= refusal.time } ?? others.first
  }
}

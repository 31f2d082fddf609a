import Citation
import Events

/// Hosts that are silent, or were, and the findings about single connections that follow from it.
///
/// While a host is silent, what is found on its connections is held until it is heard again, for half a minute at most: then
/// the silence is reported, and what it explains behind it. Hosts that were silent at the same time, and were asked by the
/// same one, are reported together. Bounded: where too many findings are held already, others are reported at once.
package struct SilentHosts: Sendable {
  private struct Known {
    var silence: HostSilence
    /// When it is reported.
    var due: Timestamp
    var isReported = false
    /// It was not, after all: the host had not spoken on any of these connections.
    var isDismissed = false
    /// It was a server that had spoken before.
    var isServer = false
  }

  private struct Asked {
    let flow: UnansweredFlow
    let id: FlowID
    let number: Int
  }

  private static let longest: Int64 = 30_000_000_000
  /// So long after it is heard again, others that are, too, are known.
  private static let patience: Int64 = 1_000_000_000
  private static let together: Int64 = 2_000_000_000
  /// What is told right behind a silence was seen in it.
  private static let behind: Int64 = 1_000_000_000
  private static let limit = 64
  private static let heldLimit = 256
  private static let askedLimit = 1_024

  /// In the order in which they became known; those that were reported are the first to be forgotten.
  private var known: [Known] = []
  private var pending = 0
  /// When the first of them is due.
  private var nextDue = Timestamp.distantFuture
  private var held: [Finding] = []
  /// Connections on which silent hosts were asked again, the newest, in a ring.
  private var asked: [Asked] = []
  private var oldest = 0

  package init() {}

  /// Asked with each item: a host is silent for long, and then there are many.
  package func hasNone(dueAt clock: Timestamp) -> Bool { clock < nextDue }

  /// A host has become silent, or was.
  package mutating func note(_ silence: HostSilence) {
    let due = silence.back?.time.advanced(by: Self.patience) ?? silence.last.time.advanced(by: Self.longest)
    if let at = known.lastIndex(where: { $0.silence.asked == silence.asked && $0.silence.host == silence.host }) {
      known[at].silence = silence
      if silence.back != nil, !known[at].isReported {
        known[at].due = min(known[at].due, due)
        nextDue = min(nextDue, due)
      }
      return
    }
    if known.count == Self.limit {
      guard let oldest = known.firstIndex(where: \.isReported) else { return }
      known.remove(at: oldest)
    }
    known.append(Known(silence: silence, due: due))
    pending += 1
    nextDue = min(nextDue, due)
  }

  /// Something was retransmitted to a host that is silent; `number` is the connection's in reports.
  package mutating func note(_ flow: UnansweredFlow, on id: FlowID, _ number: Int) {
    let new = Asked(flow: flow, id: id, number: number)
    if asked.count < Self.askedLimit {
      asked.append(new)
    } else {
      asked[oldest] = new
      oldest = (oldest + 1) % Self.askedLimit
    }
  }

  private func connections(of silence: HostSilence) -> [Asked] {
    asked.filter { each in
      each.flow.host == silence.host && each.flow.packet.number >= silence.asked.number
        && each.flow.packet.number <= silence.end.number
    }.sorted { $0.flow.packet.number < $1.flow.packet.number }
  }

  /// Whether it is held here, and is not to be reported now; where its cause has been reported, it gets it.
  package mutating func hold(_ finding: inout Finding) -> Bool {
    guard !known.isEmpty, finding.causedBy == nil, finding.isDiagnosis,
      Consequences.follows(finding.rule, from: HostSilent.info.id)
    else { return false }
    if explain(&finding) { return false }
    guard pending > 0, held.count < Self.heldLimit,
      known.contains(where: { !$0.isReported && Self.concerns($0, finding) })
    else { return false }
    held.append(finding)
    return true
  }

  /// Silences that are due, and then what waited for them; without a time all of them.
  package mutating func due(at clock: Timestamp?) -> [Finding] {
    if let clock, clock < nextDue { return [] }
    var findings: [Finding] = []
    for at in known.indices where !known[at].isReported && (clock.map { known[at].due <= $0 } ?? true) {
      // One before it may have taken it along.
      guard !known[at].isReported else { continue }
      let first = known[at]
      let together = known.indices.filter { other in
        other == at || !known[other].isReported && Self.areTogether(known[other].silence, first.silence)
      }
      let found = together.map { connections(of: known[$0].silence) }
      for (other, connections) in zip(together, found) {
        known[other].isReported = true
        known[other].isServer = connections.contains { $0.flow.side == .toClient }
      }
      pending -= together.count
      // A full listen queue drops SYNs, and what comes on connections that are not accepted, without a word.
      guard found.contains(where: { $0.contains { $0.flow.side != nil } }) else {
        for other in together { known[other].isDismissed = true }
        continue
      }
      findings.append(
        HostSilent.finding(
          together.map { known[$0].silence }, on: found.joined().map { ($0.id, $0.number) }, isAtEnd: clock == nil))
    }
    nextDue = known.lazy.filter { !$0.isReported }.map(\.due).min() ?? .distantFuture
    var rest: [Finding] = []
    for var finding in held {
      if explain(&finding) || !known.contains(where: { !$0.isReported && Self.concerns($0, finding) }) {
        findings.append(finding)
      } else {
        rest.append(finding)
      }
    }
    held = rest
    return findings
  }

  private static func areTogether(_ one: HostSilence, _ other: HostSilence) -> Bool {
    one.peer != nil && one.peer == other.peer && one.start.time.apart(from: other.start.time) <= together
      && (one.back == nil) == (other.back == nil) && one.end.time.apart(from: other.end.time) <= together
  }

  /// Whether one that was reported is its cause.
  private func explain(_ finding: inout Finding) -> Bool {
    guard
      known.contains(where: {
        $0.isReported && !$0.isDismissed && Self.concerns($0, finding) && Self.covers($0.silence, finding)
      })
    else { return false }
    finding.causedBy = HostSilent.info.id
    return true
  }

  /// What a proxy answers, or does, for lack of an answer from behind it.
  private static let ofProxies: Set<RuleID> = [
    ServerError.info.id, HSRefusedGateway.info.id, Proxy504BodyAsStream.info.id, ReadTimeout.info.id,
  ]

  /// A proxy may ask from another address than it is asked at, so of its clients' side only the time is compared.
  private static func concerns(_ known: Known, _ finding: Finding) -> Bool {
    guard let parties = finding.parties else { return false }
    let silence = known.silence
    if parties.client.address == silence.host || parties.server.address == silence.host { return true }
    return known.isServer && ofProxies.contains(finding.rule)
      && silence.peer.map { $0 != parties.client.address } ?? false
  }

  /// What it cites is of that time, or from before it on.
  private static func covers(_ silence: HostSilence, _ finding: Finding) -> Bool {
    let times = finding.evidence.lazy.compactMap { $0.packet?.time }
    guard let first = times.min(), let last = times.max() else { return false }
    // Of many answers the first and the slowest are cited.
    if finding.isOfEndpoint, first < silence.start.time { return false }
    return last >= silence.start.time && (silence.back.map { first <= $0.time.advanced(by: behind) } ?? true)
  }
}

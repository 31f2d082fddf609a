import Citation
import Events

/// Refusals of one client by one server, attempt after attempt: a client that waits for a service. They are one finding,
/// which says how long it went on and whether the client was accepted before and after.
///
/// A series is reported when the client has stopped trying, and after a while in any case: what comes later is a finding of
/// its own, reported later still. Bounded: refusals of further clients and servers are reported each.
struct RefusalSeries: Sendable {
  private struct Parties: Hashable {
    let client: IPAddress
    let server: Endpoint

    init(_ parties: FindingParties) {
      (client, server) = (parties.client.address, parties.server)
    }
  }

  private struct Series {
    var finding: Finding?
    /// Of the first and the last refusal.
    var times: (first: Timestamp, last: Timestamp)
    /// When the first was taken, and the last.
    var taken: (first: Timestamp, last: Timestamp)
    /// A part of it has been reported.
    var isReported = false
    /// When there were refusals without a longer break, the newest.
    var spells: [Spell] = []
    /// Connections that the server ended at that time.
    var cut = Cut()

    /// When no more is to be expected, or too much has come.
    var due: Timestamp {
      let patience = isReported ? RefusalSeries.later : RefusalSeries.first
      return min(taken.last.advanced(by: patience.idle), taken.first.advanced(by: patience.whole))
    }
  }

  /// A time in which the server took no connection, as far as is known.
  struct Spell: Sendable {
    /// A server that stops ends its connections, and refuses those that come back: a browser's EventSource after three
    /// seconds, or five.
    static let before: Int64 = 6_000_000_000
    /// One that lets its streams end takes no new connection meanwhile.
    static let behind: Int64 = 2_000_000_000
    static let limit = 4

    var first: Timestamp
    var last: Timestamp

    func explains(_ end: Timestamp) -> Bool {
      first.since(end) <= Self.before && end.since(last) <= Self.behind
    }
  }

  struct Cut: Sendable {
    var connections: Set<Int> = []
    /// The first end of one.
    var first: PacketRef?
  }

  private static let first = (idle: Int64(10_000_000_000), whole: Int64(30_000_000_000))
  private static let later = (idle: Int64(60_000_000_000), whole: Int64(600_000_000_000))
  private static let limit = 256
  private static let acceptanceLimit = 1_024
  private static let connectionLimit = 256
  private static let evidenceLimit = 8

  private var series: [Parties: Series] = [:]
  /// Series that have something to report, and when the first of them is due, or earlier.
  private var pending = 0
  private var nextDue = Timestamp.distantFuture
  /// Attempts that were accepted, the newest: a refusal is known only some time after it. In a ring, which costs each
  /// connection little.
  private var accepted: [(parties: Parties, time: Timestamp)] = []
  private var oldest = 0

  var isEmpty: Bool { pending == 0 }

  /// Whether it is counted here, and is not to be reported now.
  mutating func take(_ finding: Finding, at clock: Timestamp) -> Bool {
    guard let parties = finding.parties.map(Parties.init) else { return false }
    if series[parties] == nil, series.count >= Self.limit { forget(at: clock) }
    let time = finding.lastPacket.time
    var known = series[parties] ?? Series(times: (time, time), taken: (clock, clock))
    if known.finding == nil {
      guard series.count < Self.limit || series[parties] != nil else { return false }
      known.finding = finding
      known.times.first = time
      known.taken.first = clock
      pending += 1
    } else {
      known.finding?.count(finding, connections: Self.connectionLimit, evidence: Self.evidenceLimit)
    }
    known.times.last = max(known.times.last, time)
    if let at = known.spells.indices.last, time.since(known.spells[at].last) <= Spell.before {
      known.spells[at].first = min(known.spells[at].first, time)
      known.spells[at].last = max(known.spells[at].last, time)
    } else {
      if known.spells.count == Spell.limit { known.spells.removeFirst() }
      known.spells.append(Spell(first: time, last: time))
    }
    known.taken.last = clock
    nextDue = min(nextDue, known.due)
    series[parties] = known
    return true
  }

  /// Whether the server refused clients at about the time when it ended this connection, which is counted then.
  mutating func explain(_ cut: Finding) -> Bool {
    guard let server = cut.parties?.server, !series.isEmpty else { return false }
    let time = cut.lastPacket.time
    var isExplained = false
    for (parties, known) in series
    where parties.server == server && known.spells.contains(where: { $0.explains(time) }) {
      isExplained = true
      guard known.finding != nil, known.cut.connections.count < Self.connectionLimit, let number = cut.connection
      else { continue }
      series[parties]?.cut.connections.insert(number)
      if cut.lastPacket.number < known.cut.first?.number ?? .max { series[parties]?.cut.first = cut.lastPacket }
    }
    return isExplained
  }

  /// The server accepted the attempt of that time.
  mutating func accept(_ parties: FindingParties, at time: Timestamp) {
    let acceptance = (Parties(parties), time)
    if accepted.count < Self.acceptanceLimit {
      accepted.append(acceptance)
    } else {
      accepted[oldest] = acceptance
      oldest = oldest + 1 == Self.acceptanceLimit ? 0 : oldest + 1
    }
  }

  /// Those that are due, or without a time all of them.
  mutating func due(at clock: Timestamp?) -> [Finding] {
    if let clock, clock < nextDue { return [] }
    var findings: [Finding] = []
    nextDue = .distantFuture
    for (parties, known) in series {
      guard let finding = known.finding else { continue }
      if let clock, clock < known.due {
        nextDue = min(nextDue, known.due)
        continue
      }
      let times = accepted.lazy.filter { $0.parties == parties }.map(\.time)
      findings.append(
        finding.concluded(
          known.times, before: times.filter { $0 < known.times.first }.max(),
          after: times.filter { $0 >= known.times.last }.min(), known.cut))
      series[parties]?.finding = nil
      series[parties]?.isReported = true
      series[parties]?.cut = Cut()
    }
    pending -= findings.count
    return findings.sorted(by: Finding.isBefore)
  }

  private mutating func forget(at clock: Timestamp) {
    series = series.filter { $0.value.finding != nil || clock.since($0.value.taken.last) < Self.later.idle }
  }
}

extension Finding {
  fileprivate mutating func count(_ other: Finding, connections: Int, evidence limit: Int) {
    count &+= other.count
    if other.lastPacket.number > lastPacket.number { lastPacket = other.lastPacket }
    if let connection = other.connection, alsoOn.count < connections { alsoOn.append(connection) }
    if evidence.count + other.evidence.count <= limit { evidence.append(contentsOf: other.evidence) }
  }

  /// With what came of the client's other attempts.
  fileprivate func concluded(
    _ times: (first: Timestamp, last: Timestamp), before: Timestamp?, after: Timestamp?, _ cut: RefusalSeries.Cut
  ) -> Finding {
    var finding = self
    if count > 1 {
      finding.message.text +=
        " \(Wording.count(count - 1, "more attempt")) of this client failed, too, the last \(Wording.duration(times.last.since(times.first))) later."
    }
    if let after {
      let wait = Wording.duration(after.since(times.last))
      finding.message.text += " The attempt \(wait) \(count > 1 ? "after it" : "later") was accepted."
    }
    if let end = cut.first {
      let ended = Wording.count(UInt64(cut.connections.count), "connection")
      let apart = Wording.duration(end.time.apart(from: times.first))
      let which = cut.connections.count > 1 ? ", the first" : ""
      finding.message.text +=
        " The server ended \(ended) in use\(which) \(apart) \(end.time < times.first ? "before" : "after") \(count > 1 ? "the first refusal" : "it")."
      finding.evidence.append(Evidence(.packet(end, .toClient), "the server ends a connection in use"))
    } else if let before {
      let wait = Wording.duration(times.first.since(before))
      finding.message.text += " An attempt \(wait) before\(count > 1 ? " the first" : "") had been accepted."
    }
    finding.fix =
      Self.fix(hasCut: cut.first != nil, wasAccepted: before != nil, isAccepted: after != nil) ?? fix
    return finding
  }

  private static func fix(hasCut: Bool, wasAccepted: Bool, isAccepted: Bool) -> String? {
    switch (hasCut, wasAccepted, isAccepted) {
    case (true, _, true):
      "Server: it was restarted: start the new process first, or hand it the listening socket, and let the old one end its responses and close its WebSockets. Client: reconnect after a random pause."
    case (true, _, false):
      "Server: its process ended: see its log and its supervisor's for a crash, a stop or a restart at this time."
    case (_, true, true):
      "Server: it was restarted, or did not run for a while: hand its listening socket to the new process, or start that before the old one stops."
    case (_, true, false):
      "Server: it accepted connections before: see its log and its supervisor's for a crash, a stop or a restart at this time."
    case (_, false, true):
      "Server: start the service before its clients. Client: wait until the service accepts connections."
    case (_, false, false): nil
    }
  }
}

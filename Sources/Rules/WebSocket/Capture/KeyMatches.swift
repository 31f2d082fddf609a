import Citation
import Events
import HTTPSemantics

/// The same key in two handshakes: the two hops of a proxy, which passes it on as it is, or a client that does not make a
/// new one. Hops are followed to their ends: see SocketHops.
///
/// Bounded: the last keys, and of each the first connections that had it.
struct KeyMatches: CaptureWatcher {
  private static let limit = 128
  private static let perKey = 4

  private var sightings = BoundedTable<[UInt8], [KeyMatch.Sighting]>(limit: Self.limit)
  /// Handshakes that a proxy spoiled: what they were answered stands under that.
  private var spoiled: [(flow: FlowID, exchange: Int)] = []
  /// The same behind the proxy: what is wrong with them, too.
  private var remains: [(flow: FlowID, exchange: Int)] = []
  private(set) var hops = SocketHops()

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard let upgrade = asked.upgrade, let field = upgrade.key else { return }
    let key = Array(upgrade.block.bytes[field.value.clamped(to: upgrade.block.bytes.indices)])
    guard !key.isEmpty, key.count <= 64 else { return }
    let sighting = KeyMatch.Sighting(upgrade: upgrade, context: context)
    var pairs: [KeyMatch] = []
    var earlier: KeyMatch.Sighting?
    sightings.update(key, orMake: []) { list in
      for other in list where other.context.id != context.id {
        if other.isOuter(of: sighting) {
          pairs.append(KeyMatch(first: other, second: sighting, areHops: true))
        } else if sighting.isOuter(of: other) {
          pairs.append(KeyMatch(first: sighting, second: other, areHops: true))
        } else if earlier == nil {
          earlier = other
        }
      }
      if list.count < Self.perKey { list.append(sighting) }
    }
    if pairs.isEmpty, let earlier {
      let isFirst = earlier.asked < sighting.asked
      pairs = [KeyMatch(first: isFirst ? earlier : sighting, second: isFirst ? sighting : earlier, areHops: false)]
    }
    for pair in pairs {
      if pair.isSpoiled, spoiled.count < Self.limit {
        spoiled.append((pair.first.context.id, pair.first.upgrade.exchange.number))
        remains.append((pair.second.context.id, pair.second.upgrade.exchange.number))
      }
      hops.join(pair)
      for rule in RuleIndex.keyMatchRules { rule.judge(pair, context.thresholds, report: report) }
    }
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    if case .socketClosed(let record) = event, let context { hops.close(record, context, report: report) }
  }

  /// What a proxy left of a request, and a refusal that it caused, stand under that.
  mutating func review(_ finding: inout Finding) {
    hops.note(finding)
    guard finding.causedBy == nil, finding.rule.text.hasPrefix("ws/hs-"), finding.rule != HSStrippedByProxy.info.id
    else { return }
    let isRefusal = finding.rule.text.hasPrefix("ws/hs-refused")
    let isRemains = isRefusal || Self.losses.contains(finding.rule)
    guard isRefusal && has(finding, in: spoiled) || isRemains && has(finding, in: remains) else { return }
    finding.causedBy = HSStrippedByProxy.info.id
  }

  private static let losses: Set<RuleID> = ["ws/hs-http10", "ws/hs-upgrade-missing", "ws/hs-connection-missing"]

  private func has(_ finding: Finding, in places: [(flow: FlowID, exchange: Int)]) -> Bool {
    places.contains { finding.subject == .connection($0.flow) && finding.exchange == $0.exchange }
  }
}

/// Two handshakes with one key.
struct KeyMatch: Sendable {
  struct Sighting: Sendable {
    let upgrade: Upgrade
    let context: FlowContext

    var asked: UInt64 { upgrade.request.first.number }
    /// Up to where another request may be the same behind a proxy.
    private var answered: UInt64 { upgrade.response?.first.number ?? .max }

    init(upgrade: Upgrade, context: FlowContext) {
      self.upgrade = upgrade
      self.context = context
    }

    func isOuter(of other: Sighting) -> Bool {
      asked < other.asked && other.asked < answered
        && (other.upgrade.response == nil || upgrade.response == nil || other.answered < answered)
    }
  }

  /// The one that began earlier; of hops, the one to the client.
  let first: Sighting
  let second: Sighting
  /// The two hops of a proxy.
  let areHops: Bool

  /// What the proxy took out of a valid request.
  var lost: [String] {
    guard areHops, first.upgrade.hasToken, first.upgrade.namesUpgrade, first.upgrade.head.version >= .http11 else {
      return []
    }
    let behind = second.upgrade
    var lost: [String] = []
    if !behind.hasToken { lost.append("Upgrade is gone") }
    if !behind.namesUpgrade {
      let value = behind.block.value("connection").map { "Connection is \"\(HeaderBlock.shown($0))\"" }
      lost.append(value ?? "Connection is gone")
    }
    if behind.head.version < .http11 { lost.append("it is HTTP/\(behind.head.version)") }
    return lost
  }

  var isRefused: Bool { first.upgrade.isRefused || first.upgrade.response == nil }
  /// The proxy is why.
  var isSpoiled: Bool { isRefused && !lost.isEmpty }
}

/// Judges two handshakes with one key.
protocol KeyMatchRule: CaptureStoryRule where Story == KeyMatch {}

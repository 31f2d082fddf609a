import Events

/// Of two runs with different answers: where a rule found a fault in the failing one alone, its fix is the one to try.
struct KnownFixes {
  /// They say that it failed, and nothing of why: what differs between the requests says more.
  private static let effects: Set<RuleID> = ["http/server-error", "http/unanswered-request"]

  /// An exchange, or a connection as a whole.
  private struct Place: Hashable {
    var connection: Int
    var exchange: Int?
  }

  private let found: BothSides<[Place: [Finding]]>
  private let partners: BothSides<[ExchangeKey: ExchangeKey]>

  init(_ a: [Finding], _ b: [Finding], _ pairs: [ComparedPair]) {
    found = BothSides(a: Self.byPlace(a), b: Self.byPlace(b))
    let legs = pairs.map { ($0.a.leg, $0.b.leg) }
    partners = BothSides(
      a: Dictionary(legs.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first }),
      b: Dictionary(legs.map { ($0.1, $0.0) }, uniquingKeysWith: { first, _ in first }))
  }

  func add(to findings: inout [Finding]) {
    // What a particular rule says of both captures is better than what one of them shows.
    for at in findings.indices where findings[at].rule == "proxy/capture-diff" && findings[at].causedBy == nil {
      guard case .failed = findings[at].cost, let side = findings[at].side, let connection = findings[at].connection,
        let exchange = findings[at].exchange
      else { continue }
      let leg = ExchangeKey(connection: connection, number: exchange)
      guard let partner = partners[side][leg] else { continue }
      let others = Set(told(of: partner, side.other).map(\.rule))
      let hasCauses = findings[at].fix != nil
      let alone = told(of: leg, side).filter { finding in
        !others.contains(finding.rule) && finding.fix != nil && !(hasCauses && Self.effects.contains(finding.rule))
      }
      guard let worst = alone.max(by: { ($0.severity, $0.cost.weight.0) < ($1.severity, $1.cost.weight.0) }),
        let fix = worst.fix
      else { continue }
      findings[at].fix = "\(fix) (\(worst.rule), found in \(side.name) alone.)"
    }
  }

  private func told(of leg: ExchangeKey, _ side: CompareSide) -> [Finding] {
    let found = found[side]
    return [leg.number, nil].flatMap { found[Place(connection: leg.connection, exchange: $0)] ?? [] }
  }

  /// Of diagnoses that are not the consequence of another.
  private static func byPlace(_ findings: [Finding]) -> [Place: [Finding]] {
    var places: [Place: [Finding]] = [:]
    for finding in findings where finding.isDiagnosis && finding.causedBy == nil {
      guard let connection = finding.connection else { continue }
      places[Place(connection: connection, exchange: finding.exchange), default: []].append(finding)
    }
    return places
  }
}

import Events

/// Which findings follow from which: a consequence stays in the document and is shown under its cause.
package enum Consequences {
  /// Consequence, and its causes, the likelier first: as rules name them.
  private static let causes: [RuleID: [RuleID]] = Registry.families.reduce(into: [:]) { causes, family in
    for info in family.rules where !info.causedBy.isEmpty { causes[info.id] = info.causedBy }
  }

  /// These explain a consequence only where they have a cost; otherwise what they saw may be no more than its effect.
  private static let onlyIfFelt: Set<RuleID> = ["stream/buffered-until-end"]

  /// These explain what was seen at their time: a long connection loses a packet now and then.
  private static let onlyAtTheTime: Set<RuleID> = ["tcp/retransmission-gap", "tcp/path-stall"]
  private static let slack: Int64 = 1_000_000_000

  /// Whether a rule names another as a cause of what it finds.
  static func follows(_ rule: RuleID, from cause: RuleID) -> Bool { causes[rule]?.contains(cause) == true }

  /// Names the cause of each consequence that has one on the same exchange, or on the connection as a whole.
  package static func attribute(_ findings: inout [Finding]) {
    guard findings.count > 1 else { return }
    let hasOpen = findings.contains { $0.causedBy == nil && causes[$0.rule] != nil }
    guard hasOpen else { return }
    // What has a cost must be seen: it stands under a finding that has one, too, or that is more than a note by itself, and
    // has the cost then.
    let felt = Explaining(findings) { $0.isDiagnosis || $0.severity > .note }
    var open = findings.indices.filter { findings[$0].causedBy == nil && findings[$0].isDiagnosis }
    while let index = open.popLast() {
      guard let cause = cause(of: findings[index], in: felt) else { continue }
      findings[index].causedBy = cause
      // Who was hurt by a consequence was hurt by its cause.
      guard let at = felt.index(of: cause, for: findings[index].exchange), !findings[at].isDiagnosis else { continue }
      findings[at].cost = findings[index].cost
      findings[at].severity = max(findings[at].severity, findings[index].severity)
      if findings[at].causedBy == nil { open.append(at) }
    }
    let all = Explaining(findings) { _ in true }
    for index in findings.indices where findings[index].causedBy == nil && !findings[index].isDiagnosis {
      findings[index].causedBy = cause(of: findings[index], in: all)
    }
  }

  private static func cause(of finding: Finding, in explaining: Explaining) -> RuleID? {
    causes[finding.rule]?.first { cause in
      guard explaining.has(cause, for: finding.exchange) else { return false }
      return !onlyAtTheTime.contains(cause) || explaining.has(cause, around: finding, slack)
    }
  }

  /// The findings that may explain others, by their rule and exchange: a long connection has thousands of them.
  private struct Explaining {
    private struct Place: Hashable {
      let rule: RuleID
      let exchange: Int?
    }

    /// The first of each, and of those with a cost where there are some.
    private var rules: [RuleID: Int] = [:]
    private var places: [Place: Int] = [:]
    /// Those that explain only what was seen at their time: a connection has few.
    private let momentary: [Finding]

    init(_ findings: [Finding], where counts: (Finding) -> Bool) {
      momentary = findings.filter { onlyAtTheTime.contains($0.rule) }
      for isFelt in [true, false] {
        for (index, finding) in findings.enumerated() where finding.isDiagnosis == isFelt && counts(finding) {
          guard isFelt || !onlyIfFelt.contains(finding.rule) else { continue }
          if rules[finding.rule] == nil { rules[finding.rule] = index }
          let place = Place(rule: finding.rule, exchange: finding.exchange)
          if places[place] == nil { places[place] = index }
        }
      }
    }

    func has(_ cause: RuleID, for exchange: Int?) -> Bool { index(of: cause, for: exchange) != nil }

    /// At about the same time, or several times.
    func has(_ cause: RuleID, around finding: Finding, _ slack: Int64) -> Bool {
      momentary.contains { other in
        other.rule == cause
          && (other.count > 1
            || other.firstPacket.time.since(finding.lastPacket.time) <= slack
              && finding.firstPacket.time.since(other.lastPacket.time) <= slack)
      }
    }

    /// On the same exchange or on the connection as a whole; what is about the connection has any exchange for a cause.
    func index(of cause: RuleID, for exchange: Int?) -> Int? {
      guard let exchange else { return rules[cause] }
      return places[Place(rule: cause, exchange: exchange)] ?? places[Place(rule: cause, exchange: nil)]
    }
  }
}

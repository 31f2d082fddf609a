import Events

/// Which findings follow from which: a consequence stays in the document and is shown under its cause.
package enum Consequences {
  /// Consequence, and its causes, the likelier first: as rules name them.
  private static let causes: [RuleID: [RuleID]] = Registry.families.reduce(into: [:]) { causes, family in
    for info in family.rules where !info.causedBy.isEmpty { causes[info.id] = info.causedBy }
  }

  /// These explain a consequence only where they have a cost; otherwise what they saw may be no more than its effect.
  private static let onlyIfFelt: Set<RuleID> = ["stream/buffered-until-end"]

  /// Whether a rule names another as a cause of what it finds.
  static func follows(_ rule: RuleID, from cause: RuleID) -> Bool { causes[rule]?.contains(cause) == true }

  /// Names the cause of each consequence that has one on the same exchange, or on the connection as a whole.
  package static func attribute(_ findings: inout [Finding]) {
    guard findings.count > 1 else { return }
    let hasOpen = findings.contains { $0.causedBy == nil && causes[$0.rule] != nil }
    guard hasOpen else { return }
    let explaining = Explaining(findings)
    for index in findings.indices where findings[index].causedBy == nil {
      guard let causes = causes[findings[index].rule] else { continue }
      let exchange = findings[index].exchange
      findings[index].causedBy = causes.first { explaining.has($0, for: exchange) }
    }
  }

  /// The findings that may explain others, by their rule and exchange: a long connection has thousands of them.
  private struct Explaining {
    private struct Place: Hashable {
      let rule: RuleID
      let exchange: Int?
    }

    private var rules: Set<RuleID> = []
    private var places: Set<Place> = []

    init(_ findings: [Finding]) {
      for finding in findings where finding.cost != .none || !onlyIfFelt.contains(finding.rule) {
        rules.insert(finding.rule)
        places.insert(Place(rule: finding.rule, exchange: finding.exchange))
      }
    }

    /// On the same exchange or on the connection as a whole; what is about the connection has any exchange for a cause.
    func has(_ cause: RuleID, for exchange: Int?) -> Bool {
      guard rules.contains(cause), let exchange else { return rules.contains(cause) }
      return places.contains(Place(rule: cause, exchange: exchange))
        || places.contains(Place(rule: cause, exchange: nil))
    }
  }
}

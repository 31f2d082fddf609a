import Events

/// What rules found in one capture and not in the other.
enum FindingTally {
  static func alone(_ a: [Finding], _ b: [Finding]) -> BothSides<[ComparisonRecord.RuleCount]> {
    let ofA = counts(a)
    let ofB = counts(b)
    return BothSides(a: only(ofA, besides: ofB), b: only(ofB, besides: ofA))
  }

  /// What failed and was asked alike failed because of the same exchange behind a proxy, where that one failed, too, and
  /// is told why.
  static func join(_ findings: inout [Finding], _ pairs: [ComparedPair]) {
    for at in findings.indices where findings[at].causedBy == nil && findings[at].rule == "proxy/capture-diff" {
      guard let side = findings[at].side, let pair = pairs.first(where: { $0.is(findings[at], side) }),
        pair.causes.isEmpty, pair.verdict(.failed) != nil
      else { continue }
      let inner = pairs.first { other in
        other[side].leg != pair[side].leg && other.verdict(.failed)?.side == side && !other.causes.isEmpty
          && other[side].record.isInside(pair[side].record)
      }
      guard let inner else { continue }
      findings[at].causedBy = findings.first { $0.causedBy == nil && inner.is($0, side) }?.rule
    }
  }

  /// Of diagnoses that are not the consequence of another.
  private static func counts(_ findings: [Finding]) -> [RuleID: ComparisonRecord.RuleCount] {
    var counts: [RuleID: ComparisonRecord.RuleCount] = [:]
    for finding in findings where finding.isDiagnosis && finding.causedBy == nil {
      let known = counts[finding.rule]
      counts[finding.rule] = ComparisonRecord.RuleCount(
        rule: finding.rule, severity: max(finding.severity, known?.severity ?? .note),
        count: (known?.count ?? 0) + finding.count)
    }
    return counts
  }

  private static func only(
    _ counts: [RuleID: ComparisonRecord.RuleCount], besides others: [RuleID: ComparisonRecord.RuleCount]
  ) -> [ComparisonRecord.RuleCount] {
    counts.values.filter { others[$0.rule] == nil }.sorted { $0.rule < $1.rule }
  }
}

extension ComparedPair {
  /// A finding is about this exchange.
  fileprivate func `is`(_ finding: Finding, _ side: CompareSide) -> Bool {
    finding.side == side && finding.connection == self[side].leg.connection
      && finding.exchange == self[side].leg.exchange
  }
}

extension ExchangeRecord {
  fileprivate func isInside(_ other: ExchangeRecord) -> Bool {
    first.number > other.first.number && last.time <= other.last.time && method == other.method
  }
}

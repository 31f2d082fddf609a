import Citation
import Events

/// What rules found in one capture and not in the other.
enum FindingTally {
  static func alone(_ a: [Finding], _ b: [Finding]) -> BothSides<[ComparisonRecord.RuleCount]> {
    let ofA = counts(a)
    let ofB = counts(b)
    return BothSides(a: only(ofA, besides: ofB), b: only(ofB, besides: ofA))
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

import Events
import Rules

/// What a check covers, and what makes it fail.
///
/// Diagnoses of any severity count, and lint of selected rules. By default, diagnoses of warning or error fail, and all
/// selected lint; --fail-on sets another level for both.
struct CheckPolicy: Sendable {
  /// nil by default.
  var failOn: FailOn?
  /// Prefixes of rules whose lint counts.
  var selected: [String] = []
  /// Prefixes of rules whose lint counts at the configured severity.
  var weighted: [String] = []

  func counts(_ finding: Finding) -> Bool {
    finding.isDiagnosis || finding.rule == NothingToCheck.info.id || isSelected(finding.rule)
      || weighted.contains { finding.rule.text.hasPrefix($0) }
  }

  func fails(_ finding: Finding) -> Bool {
    guard counts(finding) else { return false }
    guard let level else { return false }
    if failOn == nil, !finding.isDiagnosis, isSelected(finding.rule) { return true }
    return finding.severity >= level
  }

  /// Whether the capture itself fails.
  func fails(_ summary: Summary) -> Bool {
    switch failOn {
    case .incomplete: summary.isIncomplete
    case .empty: summary.isEmpty
    case .error, .warning, .note, .never, nil: false
    }
  }

  private func isSelected(_ rule: RuleID) -> Bool { selected.contains { rule.text.hasPrefix($0) } }

  /// Incomplete and empty captures fail in addition to findings.
  private var level: Severity? {
    switch failOn {
    case .error: .error
    case .warning, .incomplete, .empty, nil: .warning
    case .note: .note
    case .never: nil
    }
  }
}

extension Summary {
  /// Something is missing in what was captured, or was not read of it.
  var isIncomplete: Bool {
    !capture.isComplete || missingBytes > 0 || (capture.dropped ?? 0) > 0 || capture.unread > 0
  }

  /// No connection, or none that was selected.
  var isEmpty: Bool { connections <= selection?.connectionsLeftOut ?? 0 }
}

import Events
import Rules

/// What a check is about, and what fails it.
///
/// Diagnoses count whatever their severity, lint where its rule was selected. Of what counts, a diagnosis of a warning or
/// worse fails, and all lint that was asked for; with a level of --fail-on both are held against that.
struct CheckPolicy: Sendable {
  /// nil unless told.
  var failOn: FailOn?
  /// Prefixes of rules whose lint counts.
  var selected: [String] = []
  /// Prefixes of rules whose lint counts at the severity that somebody gave it.
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

  /// Whether the capture itself does.
  func fails(_ summary: Summary) -> Bool {
    switch failOn {
    case .incomplete: summary.isIncomplete
    case .empty: summary.isEmpty
    case .error, .warning, .note, .never, nil: false
    }
  }

  private func isSelected(_ rule: RuleID) -> Bool { selected.contains { rule.text.hasPrefix($0) } }

  /// Incomplete and empty captures fail beside bad ones: a check that lets errors pass is none.
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
  /// Something is missing in what was captured.
  var isIncomplete: Bool { !capture.isComplete || missingBytes > 0 || (capture.dropped ?? 0) > 0 }

  /// No connection, or none that was selected.
  var isEmpty: Bool { connections <= selection?.connectionsLeftOut ?? 0 }
}

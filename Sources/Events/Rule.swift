import Citation

/// A rule's name, `family/defect`. Once shipped it never changes its meaning.
package struct RuleID: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  package let text: String

  package init(stringLiteral value: String) {
    text = value
  }

  package init(_ text: String) {
    self.text = text
  }

  package static func < (left: RuleID, right: RuleID) -> Bool { left.text < right.text }
  package var description: String { text }
  package var family: Substring { text.prefix { $0 != "/" } }
}

package struct Specification: Sendable, Equatable {
  package let name: String
  package let link: String

  package init(_ name: String, _ link: String) {
    self.name = name
    self.link = link
  }
}

/// Data of a rule, printed by `explain`. The first cell of a row names it; several rows may share a name.
package struct RuleTable: Sendable {
  package let title: String
  package let columns: [String]
  package let rows: [[String]]

  package init(title: String, columns: [String], rows: [[String]]) {
    self.title = title
    self.columns = columns
    self.rows = rows
  }
}

/// The description of a rule: the one source that `rules`, `explain`, the README's index and the tests read.
package struct RuleInfo: Sendable {
  package let id: RuleID
  package let severity: Severity
  package let confidence: Confidence
  /// One sentence: what is wrong.
  package let summary: String
  /// What happens, and why it hurts.
  package let explanation: String
  /// What the quoted packets mean, and what would look alike but does not count.
  package let evidence: String
  /// The fix, addressed to the owner of the cause.
  package let fix: String
  package let specifications: [Specification]
  /// Its thresholds; printed with its findings.
  package let thresholds: [Threshold]
  /// Rules whose findings on the same exchange, or on the connection as a whole, explain one of this rule, the likelier
  /// first: it is a consequence then, and reported under its cause.
  package let causedBy: [RuleID]
  package let since: String
  package let table: RuleTable?

  package init(
    id: RuleID, severity: Severity, confidence: Confidence = .high, summary: String, explanation: String,
    evidence: String, fix: String, specifications: [Specification], thresholds: [Threshold] = [],
    causedBy: [RuleID] = [], since: String, table: RuleTable? = nil
  ) {
    self.thresholds = thresholds
    self.causedBy = causedBy
    self.id = id
    self.severity = severity
    self.confidence = confidence
    self.summary = summary
    self.explanation = explanation
    self.evidence = evidence
    self.fix = fix
    self.specifications = specifications
    self.since = since
    self.table = table
  }
}

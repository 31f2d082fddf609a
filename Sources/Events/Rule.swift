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

/// What a rule knows as data, for people to read. The first cell of a row names it, as it may name several.
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

/// What a rule is: the one place `rules`, `explain`, the README's index and the tests read.
package struct RuleInfo: Sendable {
  package let id: RuleID
  package let severity: Severity
  package let confidence: Confidence
  /// One sentence: what is wrong.
  package let summary: String
  /// What happens, and why it hurts.
  package let explanation: String
  /// What the quoted packets mean, and what would look alike but is not this.
  package let evidence: String
  /// What to do, by whoever owns it.
  package let fix: String
  package let specifications: [Specification]
  /// What it compares with; printed with its findings.
  package let thresholds: [Threshold]
  package let since: String
  package let table: RuleTable?

  package init(
    id: RuleID, severity: Severity, confidence: Confidence = .high, summary: String, explanation: String,
    evidence: String, fix: String, specifications: [Specification], thresholds: [Threshold] = [], since: String,
    table: RuleTable? = nil
  ) {
    self.thresholds = thresholds
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

/// Reads events of one connection and says what is wrong. One value lives per connection.
package protocol Rule: Sendable {
  static var info: RuleInfo { get }
  static var interests: EventKinds { get }
  init()
  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void)
}

/// Reads the exchanges and the ends of all connections in the merger's order, and what is known of the capture once it
/// is read. An exchange without an answer is told when its connection is over, after others that were begun later.
package protocol CaptureRule: Sendable {
  static var info: RuleInfo { get }
  init()
  /// `context` is nil for what is said of the capture as a whole.
  mutating func observe(_ event: Event, in context: FlowContext?, report: (Finding) -> Void)
}

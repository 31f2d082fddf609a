import Events

/// Leads from a consequence to the finding that nothing caused, over the causes between them.
///
/// A finding names the cause next to it, which may be a consequence itself. What is shown under its cause must be shown
/// under the first one, or it is not shown at all.
package struct CauseChain {
  /// A chain of findings is short; a document that names causes in a circle ends here.
  private static let longest = 8

  private struct Place: Hashable {
    var rule: String
    var connection: Int64?
  }

  /// Of each rule on each connection: what caused it, or nil where a finding of it has no cause.
  private var causes: [Place: String?] = [:]

  package init() {}

  package mutating func add(_ rule: String, causedBy cause: String?, on connection: Int64?) {
    let place = Place(rule: rule, connection: connection)
    guard let known = causes[place] else {
      causes[place] = .some(cause)
      return
    }
    if known != nil, cause == nil { causes[place] = .some(nil) }
  }

  /// The rule of the first cause; nil where the chain does not lead to one on the same connection.
  package func root(of cause: String, on connection: Int64?) -> String? {
    var rule = cause
    for _ in 0..<Self.longest {
      guard let known = causes[Place(rule: rule, connection: connection)] else { return nil }
      guard let next = known else { return rule }
      rule = next
    }
    return nil
  }
}

extension CauseChain {
  init(_ findings: [Finding]) {
    for finding in findings {
      add(finding.rule.text, causedBy: finding.causedBy?.text, on: finding.connection.map { Int64($0) })
    }
  }

  init(_ findings: [DocumentFinding]) {
    for finding in findings { add(finding.rule, causedBy: finding.causedBy, on: finding.connection) }
  }

  /// nil for a finding that nothing caused, and for one whose first cause is not there.
  func root(of finding: Finding) -> String? {
    finding.causedBy.flatMap { root(of: $0.text, on: finding.connection.map { Int64($0) }) }
  }

  func root(of finding: DocumentFinding) -> String? {
    finding.causedBy.flatMap { root(of: $0, on: finding.connection) }
  }
}

import Events

/// The findings that text shows one by one, each with what followed from it.
struct ShownFindings {
  struct Shown {
    var finding: Finding
    /// On the same connection.
    var consequences: [Finding] = []
    /// What followed from it on other connections: of each rule how often.
    var elsewhere: [(rule: RuleID, count: UInt64)] = []
  }

  /// Evidence of findings that are shown as one.
  private static let evidenceLimit = 12

  private(set) var all: [Shown] = []

  /// Worst first. Of several that say the same, word for word, of one connection the worst stands for all.
  init(_ findings: [Finding], withLint showsLint: Bool) {
    let roots = findings.filter { $0.causedBy == nil && ($0.isDiagnosis || showsLint) }.sorted(by: Finding.isWorse)
    var places: [Words: Int] = [:]
    for finding in roots {
      let words = Words(finding)
      guard let at = places[words] else {
        places[words] = all.count
        all.append(Shown(finding: finding))
        continue
      }
      all[at].finding.count &+= finding.count
      let room = Self.evidenceLimit - all[at].finding.evidence.count
      all[at].finding.evidence += finding.evidence.prefix(max(0, room))
    }
    take(consequencesOf: findings)
  }

  private mutating func take(consequencesOf findings: [Finding]) {
    let chain = CauseChain(findings)
    for consequence in findings {
      guard let cause = consequence.causedBy else { continue }
      if let root = chain.root(of: consequence) {
        let isCause = { (shown: Shown) in
          shown.finding.rule.text == root && shown.finding.connection == consequence.connection
        }
        let own = all.firstIndex { isCause($0) && $0.finding.exchange == consequence.exchange }
        if let at = own ?? all.firstIndex(where: isCause) { all[at].consequences.append(consequence) }
      } else if consequence.isDiagnosis, let at = place(of: cause, consequence) {
        note(consequence, at)
      }
    }
  }

  /// The cause of what happened on another connection: the one at the same server, where there are several.
  private func place(of cause: RuleID, _ consequence: Finding) -> Int? {
    let server = consequence.parties?.server
    return all.firstIndex { $0.finding.rule == cause && $0.finding.parties?.server == server }
      ?? all.firstIndex { $0.finding.rule == cause }
  }

  private mutating func note(_ consequence: Finding, _ at: Int) {
    if let known = all[at].elsewhere.firstIndex(where: { $0.rule == consequence.rule }) {
      all[at].elsewhere[known].count &+= consequence.count
    } else {
      all[at].elsewhere.append((consequence.rule, consequence.count))
    }
  }

  private struct Words: Hashable {
    let rule: RuleID
    let connection: Int?
    let side: CompareSide?
    let message: String
    let fix: String?

    init(_ finding: Finding) {
      rule = finding.rule
      connection = finding.connection
      side = finding.side
      message = finding.message.text
      fix = finding.fix
    }
  }
}

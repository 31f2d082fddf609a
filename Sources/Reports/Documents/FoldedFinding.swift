/// A finding with what it led to, for formats that are lists of findings: one fault is one entry.
struct FoldedFinding {
  var finding: DocumentFinding
  /// What it led to, in the order of the document: told with it, and not counted again.
  var consequences: [DocumentFinding] = []

  private struct Place: Hashable {
    var rule: String
    var connection: Int64?
  }

  /// The findings of a capture, each consequence with its cause.
  static func all(_ findings: [DocumentFinding]) -> [FoldedFinding] {
    let causes = causes(findings)
    var consequences: [Int: [DocumentFinding]] = [:]
    for (finding, cause) in zip(findings, causes) {
      if let cause { consequences[cause, default: []].append(finding) }
    }
    return findings.indices.filter { causes[$0] == nil }.map { at in
      FoldedFinding(finding: findings[at], consequences: consequences[at] ?? [])
    }
  }

  /// For each finding the index of the one with which it is told; nil for one that stands alone.
  ///
  /// A consequence stays alone where its cause is not shown beside it: on another connection, or of a lower level, which
  /// would hide it.
  static func causes(_ findings: [DocumentFinding]) -> [Int?] {
    var roots: [Place: Int] = [:]
    for (at, finding) in findings.enumerated() where finding.causedBy == nil && !finding.isLint {
      let place = Place(rule: finding.rule, connection: finding.connection)
      if roots[place] == nil { roots[place] = at }
    }
    let chain = CauseChain(findings)
    return findings.map { finding in
      guard !finding.isLint, let rule = chain.root(of: finding),
        let root = roots[Place(rule: rule, connection: finding.connection)], findings[root].covers(finding)
      else { return nil }
      return root
    }
  }
}

extension DocumentFinding {
  /// Whether an entry of this finding shows at least the level of `other`.
  fileprivate func covers(_ other: DocumentFinding) -> Bool {
    (severity ?? .warning) >= (other.severity ?? .warning)
  }
}

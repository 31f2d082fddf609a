import Events

/// A parameter that stands twice.
enum ExtParamDuplicate: UpgradeRequestRule, UpgradeResponseRule, DeflateParameterFault {
  static let info = RuleInfo(
    id: "ws/ext-param-duplicate", severity: .error, summary: "A parameter of permessage-deflate is given twice.",
    explanation: """
      Which of the two counts is undefined. \(DeflateParameters.isFatal)
      """,
    evidence: DeflateParameters.evidence, fix: DeflateParameters.fix, specifications: [.deflate("7.1")], since: "0.1")

  static let rejectionRank: Int? = 130

  static func fault(of faults: DeflateParameters.Faults) -> String? { faults.duplicate }
}

import Events

/// A parameter with a value that it cannot have.
enum ExtParamInvalid: UpgradeRequestRule, UpgradeResponseRule, DeflateParameterFault {
  static let info = RuleInfo(
    id: "ws/ext-param-invalid", severity: .error,
    summary: "A parameter of permessage-deflate has a value that it cannot have.",
    explanation: """
      Window bits are 8 to 15 without a leading zero; the context parameters have no value; server_max_window_bits needs one. \(DeflateParameters.isFatal)
      """,
    evidence: DeflateParameters.evidence, fix: DeflateParameters.fix, specifications: [.deflate("7.1")], since: "0.1")

  static let rejectionRank: Int? = 120

  static func fault(of faults: DeflateParameters.Faults) -> String? { faults.invalid }
}

import Events

/// A parameter that does not exist.
enum ExtParamUnknown: UpgradeRequestRule, UpgradeResponseRule, DeflateParameterFault {
  static let info = RuleInfo(
    id: "ws/ext-param-unknown", severity: .error, summary: "A parameter of permessage-deflate is none of the four.",
    explanation: """
      There are server_no_context_takeover, client_no_context_takeover, server_max_window_bits and client_max_window_bits. \(DeflateParameters.isFatal)
      """,
    evidence: DeflateParameters.evidence, fix: DeflateParameters.fix, specifications: [.deflate("7.1")], since: "0.1")

  static let rejectionRank: Int? = 110

  static func fault(of faults: DeflateParameters.Faults) -> String? { faults.unknown }
}

// Written by .ci/index from the sources in Sources/Rules/Proxy. Not to be edited.

enum ProxyIndex {
  static let rules: [any Rule.Type] = [
    Proxy100ContinueSwallowed.self,
    CaptureDiff.self,
    HopJoined.self,
    PrematureRequestTerminator.self,
    UpgradeStripped.self,
    UplinkBlackHole.self,
  ]

  static let comparisonRules: [any ComparisonRule.Type] = [
    Proxy100ContinueSwallowed.self,
    CaptureDiff.self,
    PrematureRequestTerminator.self,
    UpgradeStripped.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    PrematureRequestTerminator.self,
    UplinkBlackHole.self,
  ]

  static let hopPairRules: [any HopPairRule.Type] = [HopJoined.self]
}

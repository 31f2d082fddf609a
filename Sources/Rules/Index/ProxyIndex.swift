// Written by .ci/index from the sources in Sources/Rules/Proxy. Not to be edited.

enum ProxyIndex {
  static let rules: [any Rule.Type] = [
    HopJoined.self,
    PrematureRequestTerminator.self,
    UplinkBlackHole.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    PrematureRequestTerminator.self,
    UplinkBlackHole.self,
  ]

  static let hopPairRules: [any HopPairRule.Type] = [HopJoined.self]
}

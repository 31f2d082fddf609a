// Written by .ci/index from the sources in Sources/Rules/Proxy. Not to be edited.

enum ProxyIndex {
  static let rules: [any Rule.Type] = [
    Proxy100ContinueSwallowed.self,
    Proxy504BodyAsStream.self,
    CaptureDiff.self,
    CookieCrumbsUnjoined.self,
    HopJoined.self,
    MITMInPath.self,
    PrematureRequestTerminator.self,
    ReadTimeout.self,
    SSEUnsupportedEdge.self,
    StreamDropped.self,
    TruncationHidden.self,
    TunnelRefused.self,
    UpgradeStripped.self,
    UplinkBlackHole.self,
    ViaLoopOr11.self,
    XAccelBufferingMissing.self,
    XAccelLeaked.self,
  ]

  static let comparisonRules: [any ComparisonRule.Type] = [
    Proxy100ContinueSwallowed.self,
    CaptureDiff.self,
    PrematureRequestTerminator.self,
    UpgradeStripped.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    Proxy504BodyAsStream.self,
    PrematureRequestTerminator.self,
    UplinkBlackHole.self,
    XAccelBufferingMissing.self,
    XAccelLeaked.self,
  ]

  static let heldStreamRules: [any HeldStreamRule.Type] = [SSEUnsupportedEdge.self]

  static let hopPairRules: [any HopPairRule.Type] = [
    Proxy100ContinueSwallowed.self,
    HopJoined.self,
    ReadTimeout.self,
    StreamDropped.self,
    TruncationHidden.self,
    UpgradeStripped.self,
  ]

  static let messageRules: [any MessageRule.Type] = [
    CookieCrumbsUnjoined.self,
    ViaLoopOr11.self,
  ]
}

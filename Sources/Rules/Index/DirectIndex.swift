// Written by .ci/index from the sources in Sources/Rules/Direct. Not to be edited.

enum DirectIndex {
  static let rules: [any Rule.Type] = [
    ConnectMismatch.self,
    DirectCookieLost.self,
    HostIPLiteral.self,
    NoAddressFallback.self,
  ]

  static let failedAddressRules: [any FailedAddressRule.Type] = [NoAddressFallback.self]

  static let lostCookieRules: [any LostCookieRule.Type] = [DirectCookieLost.self]

  static let misdirectedRequestRules: [any MisdirectedRequestRule.Type] = [ConnectMismatch.self]
}

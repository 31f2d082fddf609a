// Written by .ci/index from the sources in Sources/Rules/LLM. Not to be edited.

enum LLMIndex {
  static let rules: [any Rule.Type] = [
    Batched.self,
    ClientCancelled.self,
    ErrorInStream.self,
    NoEndMarker.self,
    Stall.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    Batched.self,
    ClientCancelled.self,
    ErrorInStream.self,
    NoEndMarker.self,
    Stall.self,
  ]
}

// Written by .ci/index from the sources in Sources/Rules/Case. Not to be edited.
import Events

enum CaseIndex {
  static let rules: [any Rule.Type] = [
    FieldNameMixed.self,
    FieldNameRewritten.self,
    MethodLower.self,
    TokenValue.self,
    VersionLower.self,
  ]

  static let hopPairRules: [any HopPairRule.Type] = [FieldNameRewritten.self]

  static let messageRules: [any MessageRule.Type] = [
    MethodLower.self,
    TokenValue.self,
    VersionLower.self,
  ]
}

struct CaseConnectionWatchers: Sendable {
  static var interests: EventKinds {
    FieldNameMixed.interests
  }

  private var fieldNameMixed = FieldNameMixed()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    fieldNameMixed.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !FieldNameMixed.interests.isDisjoint(with: kind) {
      fieldNameMixed.observe(event, in: context, report: report)
    }
  }
}

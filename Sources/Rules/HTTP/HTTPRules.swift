import Events

/// HTTP/1.x: single messages, and exchanges with the connection they share.
struct HTTPRules: Sendable {
  static let infos: [RuleInfo] = HTTPMessageRules.infos + HTTPExchangeRules.infos
  static let interests: EventKinds = [HTTPMessageRules.interests, HTTPExchangeRules.interests]

  private var messages = HTTPMessageRules()
  private var exchanges = HTTPExchangeRules()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !HTTPMessageRules.interests.isDisjoint(with: kind) { messages.observe(event, in: context, report: report) }
    if !HTTPExchangeRules.interests.isDisjoint(with: kind) { exchanges.observe(event, in: context, report: report) }
  }
}

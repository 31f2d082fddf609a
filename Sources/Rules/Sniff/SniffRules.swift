import Events

/// Responses that are on the wire and not yet in the app, because the client is guessing their type.
struct SniffRules: Sendable {
  static let infos: [RuleInfo] = [AppleHold.hold, AppleHold.latent]
  static let interests: EventKinds = [.exchange]

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event else { return }
    AppleHold().observe(exchange, in: context, report: report)
  }
}

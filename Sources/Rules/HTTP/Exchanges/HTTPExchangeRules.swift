import Events

/// Requests and what answers them, and how a connection is kept and closed.
struct HTTPExchangeRules: Sendable {
  static let infos: [RuleInfo] = [CloseDelimitedBody.info]
  static let interests: EventKinds = [.exchange]

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event else { return }
    CloseDelimitedBody().observe(exchange, in: context, report: report)
  }
}

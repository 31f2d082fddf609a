import Events

/// The family proxy/: what intermediaries make of an exchange.
struct ProxyRules: Sendable {
  static let infos: [RuleInfo] = [PrematureTerminator.info, UplinkBlackHole.info]
  static let interests: EventKinds = [.exchange]

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event else { return }
    PrematureTerminator().observe(exchange, in: context, report: report)
    UplinkBlackHole().observe(exchange, in: context, report: report)
  }
}

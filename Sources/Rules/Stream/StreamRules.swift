import Events

/// Bodies that are meant to be read while they come.
struct StreamRules: Sendable {
  static let infos: [RuleInfo] = BufferingRules.infos
  static let interests: EventKinds = [.exchange]

  private let buffering = BufferingRules()

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event else { return }
    buffering.observe(exchange, in: context, report: report)
  }
}

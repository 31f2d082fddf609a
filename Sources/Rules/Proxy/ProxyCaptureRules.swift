import Events

/// What only the two connections of a proxy show together.
struct ProxyCaptureRules: Sendable {
  static let infos: [RuleInfo] = [HopJoined.info]

  private var hops = HopMatcher()

  mutating func observe(_ event: Event, in context: FlowContext?, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event, let context else { return }
    for pair in hops.take(exchange, in: context) {
      HopJoined().judge(pair, in: context, report: report)
      HopSpelling().judge(pair, report: report)
    }
  }
}

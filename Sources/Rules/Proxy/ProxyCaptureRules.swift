import Events

/// What only the two connections of a proxy show together.
struct ProxyCaptureRules: Sendable {
  static let infos: [RuleInfo] = [HopJoined.info]

  private var hops = HopMatcher()

  mutating func observe(
    _ exchange: ExchangeRecord, _ key: RequestKey, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let pair = hops.take(exchange, key, in: context) else { return }
    HopJoined().judge(pair, in: context, report: report)
    for rule in RuleIndex.hopPairRules { rule.judge(pair, in: context, report: report) }
  }
}

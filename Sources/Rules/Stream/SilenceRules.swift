import Events

/// How streams fall silent, and how they end.
struct SilenceRules: Sendable {
  static let infos: [RuleInfo] = [
    CutAtKnownTimeout.info, CutByMiddlebox.info, NoHeartbeat.info, SilentBlackhole.info,
  ]
  static let interests: EventKinds = [.exchange, .segment, .connectionClosed]

  private var cut = CutAtKnownTimeout()
  private var middlebox = CutByMiddlebox()
  private var blackhole = SilentBlackhole()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .exchange(let exchange):
      cut.observe(exchange, in: context, report: report)
      middlebox.observe(exchange, in: context, report: report)
      NoHeartbeat().observe(exchange, in: context, report: report)
    case .segment(let seen): blackhole.observe(seen, in: context)
    case .connectionClosed(let end):
      middlebox.finish(in: context, report: report)
      blackhole.finish(end, in: context, report: report)
    default: break
    }
  }
}

/// What only several streams show together. Bounded: see each rule.
struct SilenceCaptureRules: Sendable {
  static let infos: [RuleInfo] = [TotalDurationCap.info, Pairing.info]

  private var cap = TotalDurationCap()
  private var repeated = RepeatedCuts()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    cap.observe(exchange, in: context, report: report)
  }

  mutating func review(_ finding: inout Finding) {
    repeated.review(&finding)
  }
}

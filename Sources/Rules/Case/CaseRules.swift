import Events

/// Letter case: one pass over the names and tokens of each message.
struct CaseRules: Sendable {
  static let infos: [RuleInfo] =
    [FieldNameMixed.info, TokenCase.info] + CaseAnomalies.table.rows.map(\.info)
  static let interests: EventKinds = [.exchange]

  private var names = FieldNameMixed()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event else { return }
    if let request = exchange.request { observe(request, exchange, context, report) }
    for interim in exchange.interim { observe(interim, exchange, context, report) }
    if let response = exchange.response { observe(response, exchange, context, report) }
    CaseAnomalies.table.observe(exchange, in: context, report: report)
  }

  private mutating func observe(
    _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    names.observe(message, exchange, in: context, report: report)
    TokenCase().observe(message, exchange, in: context, report: report)
  }
}

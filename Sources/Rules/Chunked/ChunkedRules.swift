import Events

/// The chunked transfer coding.
struct ChunkedRules: Sendable {
  static let infos: [RuleInfo] = [MissingLastChunk.info, TransferEncodingCase.info]
  static let interests: EventKinds = [.exchange]

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event else { return }
    TransferEncodingCase().observe(exchange, in: context, report: report)
    MissingLastChunk().observe(exchange, in: context, report: report)
  }
}

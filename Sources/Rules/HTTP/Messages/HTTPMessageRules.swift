import Events

/// What is wrong with one message, whatever it answers: its lines, its fields, its length, its content.
struct HTTPMessageRules: Sendable {
  static let infos: [RuleInfo] = [ContentLengthShort.info]
  static let interests: EventKinds = [.exchange]

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event else { return }
    ContentLengthShort().observe(exchange, in: context, report: report)
  }
}

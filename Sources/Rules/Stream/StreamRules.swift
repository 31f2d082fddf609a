import Events

/// Bodies that are meant to go on, and to be read while they come: what holds them back, what silences and cuts them.
struct StreamRules: Sendable {
  static let infos: [RuleInfo] = BufferingRules.infos + SilenceRules.infos + SilenceCaptureRules.infos
  static let interests: EventKinds = [SilenceRules.interests, .exchange]

  private let buffering = BufferingRules()
  private var silence = SilenceRules()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if case .exchange(let exchange) = event { buffering.observe(exchange, in: context, report: report) }
    if !SilenceRules.interests.isDisjoint(with: event.kind) {
      silence.observe(event, in: context, report: report)
    }
  }
}

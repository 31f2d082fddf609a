import Events

/// The family stream/: bodies that are meant to go on.
struct StreamRules: Sendable {
  static let infos: [RuleInfo] = SilenceRules.infos + SilenceCaptureRules.infos
  static let interests: EventKinds = SilenceRules.interests

  private var silence = SilenceRules()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    silence.observe(event, in: context, report: report)
  }
}

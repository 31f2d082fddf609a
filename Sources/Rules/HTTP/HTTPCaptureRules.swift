import Events

/// What only several connections show together. Bounded: see each rule.
struct HTTPCaptureRules: Sendable {
  static let infos: [RuleInfo] = []

  mutating func observe(_ event: Event, in context: FlowContext?, report: (Finding) -> Void) {}
}

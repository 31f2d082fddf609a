import Events

/// Requests sent to an address instead of a name: own resolvers, rewritten URLs, pinned addresses. What gives them away
/// is what the same client says elsewhere in the capture.
struct DirectRules: Sendable {
  static let infos: [RuleInfo] = [HostAddress.info]

  private var hostAddress = HostAddress()

  mutating func observe(_ event: Event, in context: FlowContext?, report: (Finding) -> Void) {
    hostAddress.observe(event, in: context, report: report)
  }
}

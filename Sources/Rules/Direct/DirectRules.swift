import Events
import HTTPSemantics

/// Requests sent to an address instead of a name: own resolvers, rewritten URLs, pinned addresses. What gives them away
/// is what the same client says elsewhere in the capture.
struct DirectRules: Sendable {
  static let infos: [RuleInfo] = [HostAddress.info]

  private var hostAddress = HostAddress()

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, in context: FlowContext
  ) {
    hostAddress.observe(exchange, request, head, in: context)
  }

  mutating func observe(_ event: Event, report: (Finding) -> Void) {
    if case .captureEnded = event { hostAddress.finish(report: report) }
  }
}

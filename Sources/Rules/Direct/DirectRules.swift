import Events
import HTTPSemantics

/// Requests sent to an address instead of a name: own resolvers, rewritten URLs, pinned addresses. What gives them away
/// is what the same client says elsewhere in the capture, and what it was told by name servers.
struct DirectRules: Sendable {
  static let infos: [RuleInfo] = [
    AddressFallback.info, ConnectMismatch.info, DirectCookie.info, HostAddress.info,
  ]

  private var hostAddress = HostAddress()
  private var names = ResolvedNames()
  private var mismatch = ConnectMismatch()
  private var cookies = DirectCookie()
  private var fallback = AddressFallback()

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ key: RequestKey, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    hostAddress.observe(exchange, request, head, in: context)
    cookies.observe(exchange, request, head, key, in: context, report: report)
    // Most captures have no answers of name servers.
    if !names.isEmpty { mismatch.observe(exchange, request, head, &names, in: context) }
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    switch event {
    case .named(let answer): names.add(answer)
    case .tlsClosed(let session):
      guard let context else { return }
      hostAddress.observe(session, in: context)
      if !names.isEmpty { mismatch.observe(session, &names, in: context) }
    case .connectionClosed(let end):
      if let context { fallback.close(end, names, in: context) }
    case .captureEnded(let capture):
      hostAddress.finish(report: report)
      mismatch.finish(names, report: report)
      fallback.finish(capture, names, thresholds, report: report)
    default: break
    }
  }

  /// A lost cookie is told under the way its request took, where that explains it.
  func review(
    _ finding: Finding, _ exchange: ExchangeRecord, _ head: MessageHead, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    guard finding.rule == HTTPCookieLost.info.id,
      let lead = DirectCookie.lead(finding, exchange, head, names, in: context)
    else { return report(finding) }
    var finding = finding
    finding.causedBy = lead.rule
    report(lead)
    report(finding)
  }
}

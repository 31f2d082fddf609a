import Events
import HTTPSemantics

/// What only several connections show together. Bounded: see each rule.
struct HTTPCaptureRules: Sendable {
  static let infos: [RuleInfo] = [
    RetriedRequest.info, ConnectionReuse.perRequest, ConnectionReuse.shorterThanProxy, SiblingDifference.info,
    CookieLost.info, RedirectDropsBody.info, UploadBuffered.info,
  ]

  private var retried = RetriedRequest()
  private var reuse = ConnectionReuse()
  private var siblings = SiblingDifference()
  private var cookies = CookieLost()
  private var redirects = RedirectDropsBody()
  private var buffered = UploadBuffered()

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ key: RequestKey, in context: FlowContext,
    report: (Finding) -> Void
  ) {
    retried.observe(exchange, request, head, key, in: context, report: report)
    reuse.observe(exchange, request, head, key, in: context)
    siblings.observe(exchange, request, head, key, in: context, report: report)
    cookies.observe(exchange, request, head, key, in: context, report: report)
    redirects.observe(exchange, request, head, in: context, report: report)
    buffered.observe(exchange, request, head, key, in: context, report: report)
  }

  /// What is no exchange.
  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    if case .captureEnded(let capture) = event {
      siblings.finish(report: report)
      redirects.finish(capture, thresholds, report: report)
      reuse.finish(thresholds, report: report)
    } else if case .connectionClosed(let end) = event, let context {
      reuse.close(end, context)
    }
  }
}

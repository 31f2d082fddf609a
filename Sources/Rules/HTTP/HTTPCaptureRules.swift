import Events

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

  mutating func observe(_ event: Event, in context: FlowContext?, report: (Finding) -> Void) {
    if case .exchange(let exchange) = event, let context {
      retried.observe(exchange, in: context, report: report)
      siblings.observe(exchange, in: context, report: report)
      cookies.observe(exchange, in: context, report: report)
      redirects.observe(exchange, in: context, report: report)
      buffered.observe(exchange, in: context, report: report)
    } else if case .captureEnded(let capture) = event {
      siblings.finish(report: report)
      redirects.finish(capture, report: report)
    }
    reuse.observe(event, in: context, report: report)
  }
}

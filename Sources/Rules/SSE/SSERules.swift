import Events
import HTTPSemantics

/// Streams of server-sent events, one by one.
struct SSERules: Sendable {
  static let infos: [RuleInfo] =
    EventAnomalies.rows.map(\.info) + [
      WrongContentType.info, StatusStops.info, EventCharset.info, NoBlankLine.info, Retry.info, NoKeepalive.info,
      BufferedEvents.info, EventContentLength.info,
    ]
  static let interests: EventKinds = [.exchange]

  func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    guard case .exchange(let exchange) = event, let response = exchange.response else { return }
    StatusStops().observe(exchange, in: context, report: report)
    guard response.stream != nil else { return }
    EventAnomalies().observe(exchange, in: context, report: report)
    Retry().observe(exchange, in: context, report: report)
    EventCharset().observe(exchange, in: context, report: report)
    EventContentLength().observe(exchange, in: context, report: report)
    WrongContentType().observe(exchange, in: context, report: report)
    NoBlankLine().observe(exchange, in: context, report: report)
    NoKeepalive().observe(exchange, in: context, report: report)
    BufferedEvents().observe(exchange, in: context, report: report)
  }
}

/// What only several event streams show together.
struct SSECaptureRules: Sendable {
  static let infos: [RuleInfo] = [
    Reconnections.withoutID, Reconnections.storm, OpenStreams.info,
  ]

  private var reconnections = Reconnections()
  private var open = OpenStreams()

  mutating func observe(
    _ exchange: ExchangeRecord, _ request: Message, _ head: MessageHead, _ key: RequestKey, in context: FlowContext
  ) {
    guard head.asksForEvents else { return }
    let visit = StreamVisit(exchange, request, head, context)
    reconnections.add(visit, key)
    if visit.isStream { open.add(visit, key.asker) }
  }

  func observe(_ event: Event, _ thresholds: Thresholds, report: (Finding) -> Void) {
    guard case .captureEnded = event else { return }
    reconnections.finish(thresholds, report: report)
    open.finish(thresholds, report: report)
  }
}

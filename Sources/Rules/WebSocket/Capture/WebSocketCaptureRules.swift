import Events
import HTTPSemantics

/// What only several WebSocket connections show together.
struct WebSocketCaptureRules: Sendable {
  static let infos: [RuleInfo] =
    KeyMatches.infos + ServerProfile.infos + [HopFrames.info, ConnectingTogether.info, ReconnectLoop.info]

  private var keys = KeyMatches()
  private var hops = HopFrames()
  private var together = ConnectingTogether()
  private var loop = ReconnectLoop()
  private var profile = ServerProfile()

  mutating func observe(
    _ exchange: ExchangeRecord, _ key: RequestKey, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard let upgrade = Upgrade(exchange) else { return }
    keys.observe(upgrade, in: context, report: report)
    together.observe(upgrade, key, in: context)
    loop.observe(upgrade, key, in: context)
  }

  mutating func observe(
    _ event: Event, _ thresholds: Thresholds, in context: FlowContext?, report: (Finding) -> Void
  ) {
    if case .socketClosed(let record) = event, let context {
      hops.close(record, in: context, report: report)
      loop.close(record, in: context)
      profile.close(record, in: context)
    } else if case .connectionClosed(let end) = event, let context {
      loop.close(end, in: context)
    } else if case .captureEnded = event {
      together.finish(report: report)
      profile.finish(report: report)
      loop.finish(thresholds, report: report)
    }
  }

  func review(_ finding: inout Finding) {
    keys.review(&finding)
  }
}

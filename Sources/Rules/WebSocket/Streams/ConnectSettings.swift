import Citation
import Events
import HTTP2Semantics

/// What the server said about extended CONNECT, and the exchanges that asked for it.
struct ConnectSettings: ConnectionWatcher {
  static var interests: EventKinds { .http2 | .gap }

  /// When it was allowed, and when that was taken back.
  private var allowed: HTTP2Frame?
  private var revoked: HTTP2Frame?
  /// What the server announced may be missing, or be read late.
  private var hasHole = false

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if case .gap = event { hasHole = true }
    guard case .http2Frame(let frame, .toClient, _) = event, frame.type == .settings,
      let value = frame.connectSetting
    else { return }
    if value == 1 {
      allowed = allowed ?? frame
    } else if let allowed, revoked == nil {
      revoked = frame
      let story = ConnectStory(exchange: nil, allowed: allowed, revoked: frame)
      for rule in RuleIndex.connectRules { rule.judge(story, in: context, report: report) }
    }
  }

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.key.stream != nil, exchange.request?.head?.block.first(":protocol") != nil, !context.isMidstream,
      !context.isOneSided, !hasHole
    else { return }
    let story = ConnectStory(exchange: exchange, allowed: allowed, revoked: revoked)
    for rule in RuleIndex.connectRules { rule.judge(story, in: context, report: report) }
  }
}

/// An exchange that asked for another protocol, or the moment in which that was taken back.
struct ConnectStory {
  let exchange: ExchangeRecord?
  let allowed: HTTP2Frame?
  let revoked: HTTP2Frame?
}

protocol ConnectRule: StoryRule where Story == ConnectStory {}

extension HTTP2Frame {
  // See errorCode.
  @inline(never)
  fileprivate var connectSetting: UInt32? {
    guard case .settings(let settings) = payload else { return nil }
    return settings.last { $0.id == HTTP2Setting.enableConnectProtocol }?.value
  }
}

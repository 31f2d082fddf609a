import Citation
import Events

/// TLS on one connection: what its rules need besides the session that the dialogue hands over at the end.
///
/// Made at the first record: what is not TLS costs nothing but the look at whether it is.
struct TLSSessionWatch: ConnectionWatcher {
  static var interests: EventKinds { .tls | .segment | .pause | .fin }

  private var watch = Rare<TLSWatch>()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if !watch.isEmpty { watch.value.note(exchange, splitGap: context.thresholds[.splitHead]) }
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    if watch.isEmpty {
      guard case .tlsOpened = event else { return }
      watch.make(TLSWatch())
    }
    switch event {
    case .segment(let seen): watch.value.note(seen)
    case .pause(let pause): watch.value.note(pause)
    case .tlsClosed(let session):
      let story = TLSStory(session: session, watch: watch.value, context: context)
      for rule in RuleIndex.tlsRules { rule.judge(story, in: context, report: report) }
    default: break
    }
  }
}

/// Judges a TLS connection that is over.
protocol TLSRule: StoryRule where Story == TLSStory {}

/// Judges each direction of it by itself.
protocol TLSSideRule: TLSRule {
  static func judge(
    _ direction: Direction, of story: TLSStory, in context: FlowContext, report: (Finding) -> Void)
}

extension TLSSideRule {
  static func judge(_ story: TLSStory, in context: FlowContext, report: (Finding) -> Void) {
    for direction in Direction.allCases { judge(direction, of: story, in: context, report: report) }
  }
}

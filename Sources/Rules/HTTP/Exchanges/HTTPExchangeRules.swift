import Events

/// Requests and what answers them, and how a connection is kept and closed.
struct HTTPExchangeRules: Sendable {
  static let infos: [RuleInfo] = [
    CloseDelimitedBody.info, KeepaliveRace.info, EarlyResponse.info, EarlyResponse.lost, ExpectContinue.stall,
    ExpectContinue.late, ExpectContinue.refused, SlowBody.info, UploadStall.info, DuplexUnsupported.info,
    ReplyAfterClose.info, HopByHopLeak.info, UnexpectedInterim.info, OldKeepAlive.info, Pipelined.info,
    UnmatchedResponse.info, CloseNotHonoured.info, SlowFirstByte.info,
  ]
  static let interests: EventKinds = [.exchange, .connectionClosed, ConnectionStory.interests]

  private var story = ConnectionStory()
  private var race = KeepaliveRace()
  private var early = EarlyResponse()
  private var late = ReplyAfterClose()
  private var keepAlive = OldKeepAlive()
  private var pipelined = Pipelined()
  private var unmatched = UnmatchedResponse()
  private var close = CloseNotHonoured()

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    switch event {
    case .exchange(let exchange): judge(exchange, context, report)
    case .connectionClosed:
      early.finish(story, in: context, report: report)
      late.finish(story, in: context, report: report)
      unmatched.finish(story, in: context, report: report)
      pipelined.finish(in: context, report: report)
      close.finish(story, in: context, report: report)
    default: story.observe(event)
    }
  }

  private mutating func judge(_ exchange: ExchangeRecord, _ context: FlowContext, _ report: (Finding) -> Void) {
    CloseDelimitedBody().observe(exchange, in: context, report: report)
    race.observe(exchange, story, in: context, report: report)
    early.observe(exchange, in: context, report: report)
    ExpectContinue().observe(exchange, in: context, report: report)
    SlowBody().observe(exchange, story, in: context, report: report)
    UploadStall().observe(exchange, story, in: context, report: report)
    DuplexUnsupported().observe(exchange, in: context, report: report)
    late.observe(exchange, story)
    HopByHopLeak().observe(exchange, in: context, report: report)
    UnexpectedInterim().observe(exchange, story, in: context, report: report)
    keepAlive.observe(exchange, in: context, report: report)
    pipelined.observe(exchange)
    unmatched.observe(exchange)
    close.observe(exchange, in: context, report: report)
    SlowFirstByte().observe(exchange, in: context, report: report)
  }
}

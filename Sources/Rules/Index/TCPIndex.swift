// Written by .ci/index from the sources in Sources/Rules/TCP. Not to be edited.
import Events

enum TCPIndex {
  static let rules: [any Rule.Type] = [
    ChallengeACK.self,
    CloseWaitLinger.self,
    ConnectFallbackDelay.self,
    ConnectRefused.self,
    DelayedACKStall.self,
    FINWithData.self,
    HalfClose.self,
    HighRTT.self,
    HostSilent.self,
    KeepaliveFail.self,
    KeepaliveOnly.self,
    MSSBlackhole.self,
    OverlapConflict.self,
    ParallelConnects.self,
    PathMTU.self,
    PathStall.self,
    RetransmissionGap.self,
    RSTAbortiveClose.self,
    RSTAfterFIN.self,
    RSTDiscardsResponse.self,
    RSTMidMessage.self,
    RSTOutOfWindow.self,
    SmallSegments.self,
    SYNRetry.self,
    TCPWindowLimited.self,
    WriteAfterPeerFIN.self,
    ZeroWindow.self,
  ]

  static let attemptRules: [any AttemptRule.Type] = [
    ConnectFallbackDelay.self,
    ParallelConnects.self,
  ]

  static let endingRules: [any EndingRule.Type] = [
    FINWithData.self,
    HalfClose.self,
    RSTAbortiveClose.self,
    RSTAfterFIN.self,
    RSTDiscardsResponse.self,
    WriteAfterPeerFIN.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [RSTMidMessage.self]

  static let keepAliveRules: [any KeepAliveRule.Type] = [
    KeepaliveFail.self,
    KeepaliveOnly.self,
  ]

  static let openingRules: [any OpeningRule.Type] = [
    ChallengeACK.self,
    SYNRetry.self,
  ]
}

struct TCPConnectionWatchers: Sendable {
  static var interests: EventKinds {
    ConnectRefused.interests
      | DelayedACKStall.interests
      | Endings.interests
      | KeepAlives.interests
      | MSSBlackhole.interests
      | OverlapConflict.interests
      | PathMTU.interests
      | PathStall.interests
      | RSTOutOfWindow.interests
      | RetransmissionGap.interests
      | SmallSegments.interests
      | TCPWindowLimited.interests
      | ZeroWindow.interests
  }

  private var connectRefused = ConnectRefused()
  private var delayedACKStall = DelayedACKStall()
  private var endings = Endings()
  private var keepAlives = KeepAlives()
  private var mssBlackhole = MSSBlackhole()
  private var overlapConflict = OverlapConflict()
  private var pathMTU = PathMTU()
  private var pathStall = PathStall()
  private var rstOutOfWindow = RSTOutOfWindow()
  private var retransmissionGap = RetransmissionGap()
  private var smallSegments = SmallSegments()
  private var tcpWindowLimited = TCPWindowLimited()
  private var zeroWindow = ZeroWindow()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    connectRefused.observe(exchange, in: context, report: report)
    delayedACKStall.observe(exchange, in: context, report: report)
    endings.observe(exchange, in: context, report: report)
    keepAlives.observe(exchange, in: context, report: report)
    mssBlackhole.observe(exchange, in: context, report: report)
    overlapConflict.observe(exchange, in: context, report: report)
    pathMTU.observe(exchange, in: context, report: report)
    pathStall.observe(exchange, in: context, report: report)
    rstOutOfWindow.observe(exchange, in: context, report: report)
    retransmissionGap.observe(exchange, in: context, report: report)
    smallSegments.observe(exchange, in: context, report: report)
    tcpWindowLimited.observe(exchange, in: context, report: report)
    zeroWindow.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !ConnectRefused.interests.isDisjoint(with: kind) {
      connectRefused.observe(event, in: context, report: report)
    }
    if !DelayedACKStall.interests.isDisjoint(with: kind) {
      delayedACKStall.observe(event, in: context, report: report)
    }
    if !Endings.interests.isDisjoint(with: kind) {
      endings.observe(event, in: context, report: report)
    }
    if !KeepAlives.interests.isDisjoint(with: kind) {
      keepAlives.observe(event, in: context, report: report)
    }
    if !MSSBlackhole.interests.isDisjoint(with: kind) {
      mssBlackhole.observe(event, in: context, report: report)
    }
    if !OverlapConflict.interests.isDisjoint(with: kind) {
      overlapConflict.observe(event, in: context, report: report)
    }
    if !PathMTU.interests.isDisjoint(with: kind) {
      pathMTU.observe(event, in: context, report: report)
    }
    if !PathStall.interests.isDisjoint(with: kind) {
      pathStall.observe(event, in: context, report: report)
    }
    if !RSTOutOfWindow.interests.isDisjoint(with: kind) {
      rstOutOfWindow.observe(event, in: context, report: report)
    }
    if !RetransmissionGap.interests.isDisjoint(with: kind) {
      retransmissionGap.observe(event, in: context, report: report)
    }
    if !SmallSegments.interests.isDisjoint(with: kind) {
      smallSegments.observe(event, in: context, report: report)
    }
    if !TCPWindowLimited.interests.isDisjoint(with: kind) {
      tcpWindowLimited.observe(event, in: context, report: report)
    }
    if !ZeroWindow.interests.isDisjoint(with: kind) {
      zeroWindow.observe(event, in: context, report: report)
    }
  }
}

// Written by .ci/index from the sources in Sources/Rules/HTTP. Not to be edited.
import Events

enum HTTPIndex {
  static let rules: [any Rule.Type] = [
    AbsoluteFormHostConflict.self,
    HTTPBareCR.self,
    BareLFLine.self,
    BodyOnGet.self,
    BodylessWithBody.self,
    CLDuplicateEqual.self,
    CLExcess.self,
    CLInvalid.self,
    CLOn1xx204.self,
    CLShort.self,
    ClientIdle.self,
    CloseDelimitedBody.self,
    CloseNotHonoured.self,
    ClosePerRequest.self,
    ContentEncodingBroken.self,
    ContentEncodingUnasked.self,
    HTTPCookieLost.self,
    DateMissingOrSkewed.self,
    DesyncSuspect.self,
    DownloadStall.self,
    DuplexUnsupported.self,
    DuplicateSingleton.self,
    EarlyResponse.self,
    EarlyResponseLost.self,
    Expect100Late.self,
    ExpectFinalThenBody.self,
    ExpectStall.self,
    FormTypeDefault.self,
    HeadDripped.self,
    HeadSectionLarge.self,
    HopByHopLeak.self,
    HostMissing.self,
    HostNotFirst.self,
    HTTP10Keepalive.self,
    InflationStopped.self,
    KeepaliveRace.self,
    KeepaliveShorterThanProxy.self,
    NameInvalidChar.self,
    NameUnderscore.self,
    NoLengthNoTE.self,
    NotHTTPServer.self,
    ObsFold.self,
    OneAtATime.self,
    Pipelined.self,
    PlainToTLS.self,
    PostEmptyWithType.self,
    RangeInconsistent.self,
    RateLimited.self,
    RedirectDropsBody.self,
    RedirectLoop.self,
    ReplyAfterClose.self,
    ResponseCut.self,
    ResponseUnmatched.self,
    RetriedRequest.self,
    RetryAfterIgnored.self,
    ServerError.self,
    SessionUnknown.self,
    SiblingDifference.self,
    SlowBodyRateLimit.self,
    SpaceBeforeColon.self,
    StatusLineBad.self,
    TargetForm.self,
    TTFBSlow.self,
    UnansweredRequest.self,
    Unexpected1xx.self,
    UploadBuffered.self,
    UploadStall.self,
    ValueCTL.self,
    ValueNonASCII.self,
    VaryMissing.self,
    VersionUnusual.self,
    WSBeforeFirstField.self,
  ]

  static let closedConnectionRules: [any ClosedConnectionRule.Type] = [
    EarlyResponseLost.self,
    ReplyAfterClose.self,
    ResponseUnmatched.self,
  ]

  static let connectionHabitRules: [any ConnectionHabitRule.Type] = [ClosePerRequest.self]

  static let disturbedExchangeRules: [any DisturbedExchangeRule.Type] = [
    KeepaliveRace.self,
    NotHTTPServer.self,
    SlowBodyRateLimit.self,
    TTFBSlow.self,
    UnansweredRequest.self,
    Unexpected1xx.self,
    UploadStall.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    AbsoluteFormHostConflict.self,
    BodyOnGet.self,
    BodylessWithBody.self,
    CloseDelimitedBody.self,
    ContentEncodingUnasked.self,
    DownloadStall.self,
    DuplexUnsupported.self,
    EarlyResponse.self,
    Expect100Late.self,
    ExpectFinalThenBody.self,
    ExpectStall.self,
    FormTypeDefault.self,
    HostMissing.self,
    PlainToTLS.self,
    PostEmptyWithType.self,
    RangeInconsistent.self,
    ResponseCut.self,
    TargetForm.self,
    VaryMissing.self,
  ]

  static let idleClosesRules: [any IdleClosesRule.Type] = [KeepaliveShorterThanProxy.self]

  static let messageRules: [any MessageRule.Type] = [
    HTTPBareCR.self,
    BareLFLine.self,
    CLDuplicateEqual.self,
    CLInvalid.self,
    CLOn1xx204.self,
    CLShort.self,
    ContentEncodingBroken.self,
    DesyncSuspect.self,
    DuplicateSingleton.self,
    HeadDripped.self,
    HeadSectionLarge.self,
    HopByHopLeak.self,
    InflationStopped.self,
    NameInvalidChar.self,
    ObsFold.self,
    SpaceBeforeColon.self,
    StatusLineBad.self,
    ValueCTL.self,
    ValueNonASCII.self,
    VersionUnusual.self,
    WSBeforeFirstField.self,
  ]

  static let peerHabitRules: [any PeerHabitRule.Type] = [
    DateMissingOrSkewed.self,
    HostNotFirst.self,
    NameUnderscore.self,
  ]

  static let surplusRules: [any SurplusRule.Type] = [
    BodylessWithBody.self,
    CLExcess.self,
  ]

  static let unframedRequestRules: [any UnframedRequestRule.Type] = [NoLengthNoTE.self]
}

struct HTTPConnectionWatchers: Sendable {
  static var interests: EventKinds {
    CloseNotHonoured.interests
      | HTTP10Keepalive.interests
      | HTTPWatch.interests
      | PeerHabits.interests
      | Pipelined.interests
      | SurplusBytes.interests
  }

  private var closeNotHonoured = CloseNotHonoured()
  private var hTTP10Keepalive = HTTP10Keepalive()
  private var httpWatch = HTTPWatch()
  private var peerHabits = PeerHabits()
  private var pipelined = Pipelined()
  private var surplusBytes = SurplusBytes()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    closeNotHonoured.observe(exchange, in: context, report: report)
    hTTP10Keepalive.observe(exchange, in: context, report: report)
    httpWatch.observe(exchange, in: context, report: report)
    peerHabits.observe(exchange, in: context, report: report)
    pipelined.observe(exchange, in: context, report: report)
    surplusBytes.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !CloseNotHonoured.interests.isDisjoint(with: kind) {
      closeNotHonoured.observe(event, in: context, report: report)
    }
    if !HTTP10Keepalive.interests.isDisjoint(with: kind) {
      hTTP10Keepalive.observe(event, in: context, report: report)
    }
    if !HTTPWatch.interests.isDisjoint(with: kind) {
      httpWatch.observe(event, in: context, report: report)
    }
    if !PeerHabits.interests.isDisjoint(with: kind) {
      peerHabits.observe(event, in: context, report: report)
    }
    if !Pipelined.interests.isDisjoint(with: kind) {
      pipelined.observe(event, in: context, report: report)
    }
    if !SurplusBytes.interests.isDisjoint(with: kind) {
      surplusBytes.observe(event, in: context, report: report)
    }
  }
}

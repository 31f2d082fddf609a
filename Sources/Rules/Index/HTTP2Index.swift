// Written by .ci/index from the sources in Sources/Rules/HTTP2. Not to be edited.
import Events

enum HTTP2Index {
  static let rules: [any Rule.Type] = [
    AuthorityHostMismatch.self,
    ClosedWithOpenStreams.self,
    ConnectionField.self,
    ConnectionWindowLeak.self,
    ConnectionWindowStall.self,
    ContentLengthMismatch.self,
    ContinuationFlood.self,
    EmptyDataFlood.self,
    EndStreamLate.self,
    FieldInvalid.self,
    FieldNameUppercase.self,
    FrameAfterEnd.self,
    FrameSize.self,
    FrameState.self,
    FrameStream.self,
    FrameUnknown.self,
    GoAwayCutShort.self,
    GoAwayError.self,
    GoAwayLastID.self,
    GoAwayUnprocessed.self,
    H2CUpgradeIgnored.self,
    H2CUpgradeInvalid.self,
    HeaderListExceeded.self,
    HPACKIndex.self,
    HPACKMalformed.self,
    HPACKSizeUpdate.self,
    HTTP1ToH2Port.self,
    HTTP11Required.self,
    InadequateSecurity.self,
    Misdirected.self,
    NoGoAway.self,
    PaddingHeavy.self,
    PaddingInvalid.self,
    PathInvalid.self,
    PingAckUnasked.self,
    HTTP2PingFlood.self,
    HTTP2PingRTTHigh.self,
    HTTP2PingUnanswered.self,
    PrefaceMissing.self,
    PriorKnowledgeRefused.self,
    PseudoAfterField.self,
    PseudoDuplicate.self,
    PseudoMissing.self,
    PseudoUnknown.self,
    PushForbidden.self,
    PushPromise.self,
    RefusedStream.self,
    RequestAfterGoAway.self,
    ResetFlood.self,
    SettingsFlood.self,
    SettingsInvalid.self,
    SettingsUnacked.self,
    StreamID.self,
    StreamLimitExceeded.self,
    StreamReset.self,
    StreamWindowStall.self,
    StreamsExhausted.self,
    TCPLossStallsStreams.self,
    TinyData.self,
    TrailersUnended.self,
    TruncatedNoError.self,
    WindowExceeded.self,
    HTTP2WindowLimited.self,
    WindowOverflow.self,
    WindowUpdateZero.self,
    WindowUpdatesTiny.self,
  ]

  static let controlStoryRules: [any ControlStoryRule.Type] = [
    ClosedWithOpenStreams.self,
    ConnectionWindowLeak.self,
    ConnectionWindowStall.self,
    EmptyDataFlood.self,
    GoAwayCutShort.self,
    GoAwayError.self,
    GoAwayLastID.self,
    GoAwayUnprocessed.self,
    NoGoAway.self,
    HTTP2PingFlood.self,
    HTTP2PingRTTHigh.self,
    HTTP2PingUnanswered.self,
    PriorKnowledgeRefused.self,
    RequestAfterGoAway.self,
    ResetFlood.self,
    SettingsFlood.self,
    SettingsUnacked.self,
    StreamsExhausted.self,
    TCPLossStallsStreams.self,
    WindowUpdatesTiny.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    EndStreamLate.self,
    H2CUpgradeIgnored.self,
    H2CUpgradeInvalid.self,
    PushPromise.self,
    StreamReset.self,
    StreamWindowStall.self,
    TruncatedNoError.self,
    HTTP2WindowLimited.self,
  ]

  static let messageRules: [any MessageRule.Type] = [
    AuthorityHostMismatch.self,
    ConnectionField.self,
    ContentLengthMismatch.self,
    FieldInvalid.self,
    FieldNameUppercase.self,
    PaddingHeavy.self,
    PathInvalid.self,
    PseudoAfterField.self,
    PseudoDuplicate.self,
    PseudoMissing.self,
    PseudoUnknown.self,
    TinyData.self,
  ]

  static let streamRepeatRules: [any StreamRepeatRule.Type] = [
    HTTP11Required.self,
    Misdirected.self,
    RefusedStream.self,
  ]

  static let wireFaultRules: [any WireFaultRule.Type] = [
    ContinuationFlood.self,
    FrameAfterEnd.self,
    FrameSize.self,
    FrameState.self,
    FrameStream.self,
    FrameUnknown.self,
    HPACKIndex.self,
    HPACKMalformed.self,
    HPACKSizeUpdate.self,
    PaddingInvalid.self,
    PingAckUnasked.self,
    PrefaceMissing.self,
    PseudoUnknown.self,
    PushForbidden.self,
    SettingsInvalid.self,
    StreamID.self,
    StreamLimitExceeded.self,
    TrailersUnended.self,
    WindowExceeded.self,
    WindowOverflow.self,
    WindowUpdateZero.self,
  ]
}

struct HTTP2ConnectionWatchers: Sendable {
  static var interests: EventKinds {
    ControlWatch.interests
      | HTTP1ToH2Port.interests
      | HeaderListExceeded.interests
      | InadequateSecurity.interests
      | WireFaults.interests
  }

  private var controlWatch = ControlWatch()
  private var hTTP1ToH2Port = HTTP1ToH2Port()
  private var headerListExceeded = HeaderListExceeded()
  private var inadequateSecurity = InadequateSecurity()
  private var wireFaults = WireFaults()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    controlWatch.observe(exchange, in: context, report: report)
    hTTP1ToH2Port.observe(exchange, in: context, report: report)
    headerListExceeded.observe(exchange, in: context, report: report)
    inadequateSecurity.observe(exchange, in: context, report: report)
    wireFaults.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !ControlWatch.interests.isDisjoint(with: kind) {
      controlWatch.observe(event, in: context, report: report)
    }
    if !HTTP1ToH2Port.interests.isDisjoint(with: kind) {
      hTTP1ToH2Port.observe(event, in: context, report: report)
    }
    if !HeaderListExceeded.interests.isDisjoint(with: kind) {
      headerListExceeded.observe(event, in: context, report: report)
    }
    if !InadequateSecurity.interests.isDisjoint(with: kind) {
      inadequateSecurity.observe(event, in: context, report: report)
    }
    if !WireFaults.interests.isDisjoint(with: kind) {
      wireFaults.observe(event, in: context, report: report)
    }
  }
}

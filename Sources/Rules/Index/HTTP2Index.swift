// Written by .ci/index from the sources in Sources/Rules/HTTP2. Not to be edited.
import Events

enum HTTP2Index {
  static let rules: [any Rule.Type] = [
    AuthorityHostMismatch.self,
    ClosedWithOpenStreams.self,
    ConnectionField.self,
    ContentLengthMismatch.self,
    ContinuationFlood.self,
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
    HPACKIndex.self,
    HPACKMalformed.self,
    HPACKSizeUpdate.self,
    NoGoAway.self,
    PaddingInvalid.self,
    PathInvalid.self,
    PingAckUnasked.self,
    PrefaceMissing.self,
    PseudoAfterField.self,
    PseudoDuplicate.self,
    PseudoMissing.self,
    PseudoUnknown.self,
    PushForbidden.self,
    RefusedStream.self,
    RequestAfterGoAway.self,
    ResetFlood.self,
    SettingsFlood.self,
    SettingsInvalid.self,
    SettingsUnacked.self,
    StreamID.self,
    StreamLimitExceeded.self,
    StreamReset.self,
    TrailersUnended.self,
    TruncatedNoError.self,
    WindowExceeded.self,
    WindowOverflow.self,
    WindowUpdateZero.self,
  ]

  static let controlStoryRules: [any ControlStoryRule.Type] = [
    ClosedWithOpenStreams.self,
    GoAwayCutShort.self,
    GoAwayError.self,
    GoAwayLastID.self,
    GoAwayUnprocessed.self,
    NoGoAway.self,
    RequestAfterGoAway.self,
    ResetFlood.self,
    SettingsFlood.self,
    SettingsUnacked.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    RefusedStream.self,
    StreamReset.self,
    TruncatedNoError.self,
  ]

  static let messageRules: [any MessageRule.Type] = [
    AuthorityHostMismatch.self,
    ConnectionField.self,
    ContentLengthMismatch.self,
    FieldInvalid.self,
    FieldNameUppercase.self,
    PathInvalid.self,
    PseudoAfterField.self,
    PseudoDuplicate.self,
    PseudoMissing.self,
    PseudoUnknown.self,
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
  static let interests: EventKinds = [
    ControlWatch.interests,
    WireFaults.interests,
  ]

  private var controlWatch = ControlWatch()
  private var wireFaults = WireFaults()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    controlWatch.observe(exchange, in: context, report: report)
    wireFaults.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !ControlWatch.interests.isDisjoint(with: kind) {
      controlWatch.observe(event, in: context, report: report)
    }
    if !WireFaults.interests.isDisjoint(with: kind) {
      wireFaults.observe(event, in: context, report: report)
    }
  }
}

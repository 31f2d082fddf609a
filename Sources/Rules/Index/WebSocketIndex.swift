// Written by .ci/index from the sources in Sources/Rules/WebSocket. Not to be edited.
import Events

enum WebSocketIndex {
  static let rules: [any Rule.Type] = [
    AppError.self,
    AppMismatch.self,
    Backpressure.self,
    CaptureEndsInFrame.self,
    CaptureEndsOpen.self,
    CloseAppCode.self,
    CloseClientFINFirst.self,
    CloseCodeInvalid.self,
    CloseCodeNotEchoed.self,
    CloseCodeReserved.self,
    CloseDuplicate.self,
    CloseErrorCode.self,
    CloseFrameAfter.self,
    CloseMissingFIN.self,
    CloseMissingRST.self,
    CloseNoStatus.self,
    ClosePayload1Byte.self,
    CloseReasonUTF8.self,
    CloseRSTAfter.self,
    CloseSlow.self,
    CloseTCPLinger.self,
    CloseUnanswered.self,
    CoalescedUnanswered.self,
    ControlFragmented.self,
    ControlTooLong.self,
    DecodeGap.self,
    DropAfter64BitLength.self,
    DropAfterClose.self,
    DropAfterFragment.self,
    DropAfterOpcode.self,
    DropAfterPing.self,
    ExtClientWindowUnoffered.self,
    ExtDuplicate.self,
    ExtLegacyCompression.self,
    ExtOfferNotHonoured.self,
    ExtOfferedNotNegotiated.self,
    ExtParamDuplicate.self,
    ExtParamInvalid.self,
    ExtParamUnknown.self,
    ExtUnoffered.self,
    FragmentInterleaved.self,
    FragmentOrphanContinuation.self,
    FragmentStall.self,
    FragmentStorm.self,
    FragmentUnfinished.self,
    FragmentZeroLength.self,
    FrameHuge.self,
    FrameLengthMSB.self,
    FrameLengthNonminimal.self,
    FrameMaskedServer.self,
    FrameReservedOpcode.self,
    FrameRSV1NotNegotiated.self,
    FrameRSV23.self,
    FrameTruncated.self,
    FrameUnmaskedClient.self,
    H2CloseNoEnd.self,
    H2Fallback.self,
    H2FlowBlocked.self,
    H2HopHeaders.self,
    H2PseudoMissing.self,
    H2Refused.self,
    H2Reset.self,
    H2SettingMissing.self,
    H2SettingRevoked.self,
    H2Status101.self,
    HalfOpen.self,
    HeaderPayloadSplit.self,
    HS101BodyHeaders.self,
    HSAcceptMismatch.self,
    HSAcceptMissing.self,
    HSCleartext.self,
    HSClientRejected.self,
    HSConnectionMissing.self,
    HSEarlyData.self,
    HSExtensionSyntax.self,
    HSHixieRequest.self,
    HSHixieResponseHeaders.self,
    HSHostMissing.self,
    HSHTTP10.self,
    HSHybiOriginHeader.self,
    HSKeyDuplicate.self,
    HSKeyInvalid.self,
    HSKeyMissing.self,
    HSKeyReused.self,
    HSMethodNotGET.self,
    HSNoResponse.self,
    HSOriginHostMismatch.self,
    HSOriginMissingBrowser.self,
    HSOriginNull.self,
    HSRefused.self,
    HSRefused200.self,
    HSRefused400.self,
    HSRefused404.self,
    HSRefused426.self,
    HSRefusedAuth.self,
    HSRefusedGateway.self,
    HSRefusedRedirect.self,
    HSRequestBody.self,
    HSRespConnectionMissing.self,
    HSRespUpgradeMissing.self,
    HSSecondInConnecting.self,
    HSSlow.self,
    HSStrippedByProxy.self,
    HSSubprotocolIgnored.self,
    HSSubprotocolMultiple.self,
    HSSubprotocolSyntax.self,
    HSSubprotocolUnrequested.self,
    HSUpgradeMissing.self,
    HSVersionIn101.self,
    HSVersionMissing.self,
    HSVersionNot13.self,
    HSVersionNotAdvertised.self,
    HTTPInside.self,
    IdleCut.self,
    KeepaliveNone.self,
    KeepaliveTimeout.self,
    MaskKeyReused.self,
    MaskKeySequential.self,
    MaskZeroKey.self,
    MessageHuge.self,
    OneWay.self,
    WebSocketPingFlood.self,
    WebSocketPingRTTHigh.self,
    WebSocketPingUnanswered.self,
    PMDBFinal.self,
    PMDBomb.self,
    PMDExpansion.self,
    PMDInflateError.self,
    PMDNegotiatedUnused.self,
    PMDNoTakeoverCost.self,
    PMDRSV1Continuation.self,
    PMDRSV1Control.self,
    PMDTailNotStripped.self,
    PMDTakeoverViolation.self,
    PMDTiny.self,
    PMDWindowExceeded.self,
    PongMismatch.self,
    PongUnsolicited.self,
    ProxyHop.self,
    ProxyHopFrames.self,
    ReconnectLoop.self,
    SegmentPerFrame.self,
    ServerProfile.self,
    SplitFrameMisread.self,
    TinyFlood.self,
    TLSShape.self,
    UTF8InvalidText.self,
  ]

  static let acceptanceRules: [any AcceptanceRule.Type] = [
    ExtOfferedNotNegotiated.self,
    HSClientRejected.self,
  ]

  static let comparisonRules: [any ComparisonRule.Type] = [HSStrippedByProxy.self]

  static let connectRules: [any ConnectRule.Type] = [
    H2SettingMissing.self,
    H2SettingRevoked.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    H2FlowBlocked.self,
    H2Refused.self,
  ]

  static let frameRules: [any FrameRule.Type] = [
    ClosePayload1Byte.self,
    CloseReasonUTF8.self,
    ControlFragmented.self,
    ControlTooLong.self,
    FragmentZeroLength.self,
    FrameHuge.self,
    FrameLengthMSB.self,
    FrameLengthNonminimal.self,
    FrameMaskedServer.self,
    FrameReservedOpcode.self,
    FrameRSV1NotNegotiated.self,
    FrameRSV23.self,
    FrameUnmaskedClient.self,
    PMDRSV1Continuation.self,
    PMDRSV1Control.self,
  ]

  static let keyMatchRules: [any KeyMatchRule.Type] = [
    HSKeyReused.self,
    HSStrippedByProxy.self,
    ProxyHop.self,
  ]

  static let messageRules: [any MessageRule.Type] = [
    H2HopHeaders.self,
    H2PseudoMissing.self,
    H2Status101.self,
  ]

  static let refusalRules: [any RefusalRule.Type] = [
    HSRefused.self,
    HSRefused200.self,
    HSRefused400.self,
    HSRefused404.self,
    HSRefused426.self,
    HSRefusedAuth.self,
    HSRefusedGateway.self,
    HSRefusedRedirect.self,
  ]

  static let serverFeatureRules: [any ServerFeatureRule.Type] = [
    DropAfterClose.self,
    ServerProfile.self,
  ]

  static let socketMessageRules: [any SocketMessageRule.Type] = [
    MessageHuge.self,
    PMDBFinal.self,
    PMDBomb.self,
    PMDInflateError.self,
    PMDTailNotStripped.self,
    PMDTakeoverViolation.self,
    PMDWindowExceeded.self,
    UTF8InvalidText.self,
  ]

  static let socketRules: [any SocketRule.Type] = [
    AppError.self,
    AppMismatch.self,
    Backpressure.self,
    CaptureEndsInFrame.self,
    CaptureEndsOpen.self,
    CloseAppCode.self,
    CloseClientFINFirst.self,
    CloseCodeInvalid.self,
    CloseCodeNotEchoed.self,
    CloseCodeReserved.self,
    CloseDuplicate.self,
    CloseErrorCode.self,
    CloseFrameAfter.self,
    CloseMissingFIN.self,
    CloseMissingRST.self,
    CloseNoStatus.self,
    CloseRSTAfter.self,
    CloseSlow.self,
    CloseTCPLinger.self,
    CloseUnanswered.self,
    CoalescedUnanswered.self,
    DecodeGap.self,
    DropAfter64BitLength.self,
    DropAfterFragment.self,
    DropAfterOpcode.self,
    DropAfterPing.self,
    FragmentInterleaved.self,
    FragmentOrphanContinuation.self,
    FragmentStall.self,
    FragmentStorm.self,
    FragmentUnfinished.self,
    FrameTruncated.self,
    H2CloseNoEnd.self,
    H2Reset.self,
    HalfOpen.self,
    HeaderPayloadSplit.self,
    HSEarlyData.self,
    HTTPInside.self,
    IdleCut.self,
    KeepaliveNone.self,
    KeepaliveTimeout.self,
    MaskKeyReused.self,
    MaskKeySequential.self,
    MaskZeroKey.self,
    OneWay.self,
    WebSocketPingFlood.self,
    WebSocketPingRTTHigh.self,
    WebSocketPingUnanswered.self,
    PMDExpansion.self,
    PMDNegotiatedUnused.self,
    PMDNoTakeoverCost.self,
    PMDTiny.self,
    PongMismatch.self,
    PongUnsolicited.self,
    SegmentPerFrame.self,
    SplitFrameMisread.self,
    TinyFlood.self,
  ]

  static let tlsRules: [any TLSRule.Type] = [TLSShape.self]

  static let upgradeRequestRules: [any UpgradeRequestRule.Type] = [
    ExtLegacyCompression.self,
    ExtParamDuplicate.self,
    ExtParamInvalid.self,
    ExtParamUnknown.self,
    HSCleartext.self,
    HSConnectionMissing.self,
    HSExtensionSyntax.self,
    HSHixieRequest.self,
    HSHostMissing.self,
    HSHTTP10.self,
    HSHybiOriginHeader.self,
    HSKeyDuplicate.self,
    HSKeyInvalid.self,
    HSKeyMissing.self,
    HSMethodNotGET.self,
    HSOriginHostMismatch.self,
    HSOriginMissingBrowser.self,
    HSOriginNull.self,
    HSRequestBody.self,
    HSSubprotocolSyntax.self,
    HSUpgradeMissing.self,
    HSVersionMissing.self,
    HSVersionNot13.self,
  ]

  static let upgradeResponseRules: [any UpgradeResponseRule.Type] = [
    ExtClientWindowUnoffered.self,
    ExtDuplicate.self,
    ExtOfferNotHonoured.self,
    ExtParamDuplicate.self,
    ExtParamInvalid.self,
    ExtParamUnknown.self,
    ExtUnoffered.self,
    HS101BodyHeaders.self,
    HSAcceptMismatch.self,
    HSAcceptMissing.self,
    HSHixieResponseHeaders.self,
    HSRespConnectionMissing.self,
    HSRespUpgradeMissing.self,
    HSSubprotocolIgnored.self,
    HSSubprotocolMultiple.self,
    HSSubprotocolUnrequested.self,
    HSVersionIn101.self,
  ]

  static let upgradeRules: [any UpgradeRule.Type] = [
    HSNoResponse.self,
    HSSlow.self,
    HSVersionNotAdvertised.self,
  ]
}

struct WebSocketConnectionWatchers: Sendable {
  static var interests: EventKinds {
    ConnectSettings.interests
      | WebSocketWatch.interests
  }

  private var connectSettings = ConnectSettings()
  private var webSocketWatch = WebSocketWatch()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    connectSettings.observe(exchange, in: context, report: report)
    webSocketWatch.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !ConnectSettings.interests.isDisjoint(with: kind) {
      connectSettings.observe(event, in: context, report: report)
    }
    if !WebSocketWatch.interests.isDisjoint(with: kind) {
      webSocketWatch.observe(event, in: context, report: report)
    }
  }
}

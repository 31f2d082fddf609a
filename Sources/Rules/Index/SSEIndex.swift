// Written by .ci/index from the sources in Sources/Rules/SSE. Not to be edited.

enum SSEIndex {
  static let rules: [any Rule.Type] = [
    BadCharset.self,
    Buffered.self,
    ContentLength.self,
    ErrorEvent.self,
    EventSplitByNewline.self,
    ExtraBOM.self,
    IDNUL.self,
    SSENoBlankLine.self,
    NoKeepalive.self,
    NotAStream.self,
    ReconnectNoLastEventID.self,
    ReconnectStorm.self,
    RetryInvalid.self,
    SixConnections.self,
    StatusStops.self,
    UnknownField.self,
    WrongContentType.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    BadCharset.self,
    ContentLength.self,
    ErrorEvent.self,
    EventSplitByNewline.self,
    ExtraBOM.self,
    IDNUL.self,
    SSENoBlankLine.self,
    NoKeepalive.self,
    NotAStream.self,
    RetryInvalid.self,
    StatusStops.self,
    UnknownField.self,
    WrongContentType.self,
  ]

  static let heldStreamRules: [any HeldStreamRule.Type] = [Buffered.self]

  static let reconnectionRules: [any ReconnectionRule.Type] = [
    ReconnectNoLastEventID.self,
    ReconnectStorm.self,
  ]
}

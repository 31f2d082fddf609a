// Written by .ci/index from the sources in Sources/Rules/GRPC. Not to be edited.

enum GRPCIndex {
  static let rules: [any Rule.Type] = [
    ContentType.self,
    DeadlineExceeded.self,
    EncodingUnaccepted.self,
    HalfCloseLate.self,
    HTTPError.self,
    KeepaliveAggressive.self,
    MessageLarge.self,
    MessagePrefix.self,
    MessageStall.self,
    MessageTruncated.self,
    OverHTTP1.self,
    StatusError.self,
    StatusInHeaders.self,
    StatusMissing.self,
    StatusOutcome.self,
    TEMissing.self,
    TimeoutInvalid.self,
    TooManyPings.self,
    WebTrailerMissing.self,
  ]

  static let controlStoryRules: [any ControlStoryRule.Type] = [
    KeepaliveAggressive.self,
    TooManyPings.self,
  ]

  static let exchangeRules: [any ExchangeRule.Type] = [
    ContentType.self,
    DeadlineExceeded.self,
    EncodingUnaccepted.self,
    HalfCloseLate.self,
    HTTPError.self,
    MessageLarge.self,
    MessagePrefix.self,
    MessageStall.self,
    MessageTruncated.self,
    OverHTTP1.self,
    StatusError.self,
    StatusInHeaders.self,
    StatusMissing.self,
    StatusOutcome.self,
    TEMissing.self,
    TimeoutInvalid.self,
    WebTrailerMissing.self,
  ]
}

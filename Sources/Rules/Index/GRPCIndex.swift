// Written by .ci/index from the sources in Sources/Rules/GRPC. Not to be edited.
import Events

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
    OverHTTP1.self,
    StatusError.self,
    StatusInHeaders.self,
    StatusMissing.self,
    StatusOutcome.self,
    TEMissing.self,
    TimeoutInvalid.self,
  ]

  static let grpcMessageRules: [any GRPCMessageRule.Type] = [
    MessageLarge.self,
    MessagePrefix.self,
    MessageStall.self,
    MessageTruncated.self,
    WebTrailerMissing.self,
  ]
}

struct GRPCConnectionWatchers: Sendable {
  static var interests: EventKinds {
    GRPCCallMessages.interests
  }

  private var grpcCallMessages = GRPCCallMessages()

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    grpcCallMessages.observe(exchange, in: context, report: report)
  }

  mutating func observe(_ event: Event, in context: FlowContext, report: (Finding) -> Void) {
    let kind = event.kind
    if !GRPCCallMessages.interests.isDisjoint(with: kind) {
      grpcCallMessages.observe(event, in: context, report: report)
    }
  }
}

import Citation
import Events

/// The messages of one side of a call.
struct GRPCMessages {
  let exchange: ExchangeRecord
  let side: GRPCRecord.Side
  let message: Message
  let direction: Direction
  let isWeb: Bool

  /// Nothing was left out: what is not there was not sent.
  var isRead: Bool {
    guard message.isComplete, message.end?.isCaptured == true, !side.isUnread else { return false }
    return message.content.map { $0.outcome == .decoded } ?? true
  }
}

/// Judges the messages of each side of a call that is over.
protocol GRPCMessageRule: StoryRule where Story == GRPCMessages {}

/// Asks the rules about the messages of calls.
struct GRPCCallMessages: ConnectionWatcher {
  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.isCall, let call = exchange.grpc else { return }
    if let request = exchange.request { judge(request, call, exchange, context, report) }
    if let response = exchange.response { judge(response, call, exchange, context, report) }
  }

  private func judge(
    _ message: Message, _ call: GRPCRecord, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    let messages = GRPCMessages(
      exchange: exchange, side: call.sides[message.direction], message: message, direction: message.direction,
      isWeb: call.isWeb)
    for rule in RuleIndex.grpcMessageRules { rule.judge(messages, in: context, report: report) }
  }
}

extension GRPCMessageRule {
  static func finding(
    _ messages: GRPCMessages, _ context: FlowContext, _ words: String, cost: Cost, severity: Severity? = nil,
    _ evidence: [Evidence]
  ) -> Finding {
    Finding(
      info, severity: severity, subject: .connection(context.id), exchange: messages.exchange.number,
      direction: messages.direction, "\(messages.exchange.title): \(words).", cost: cost, fix: info.fix,
      evidence: evidence)
  }
}

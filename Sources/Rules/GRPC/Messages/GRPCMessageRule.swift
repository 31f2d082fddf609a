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
    guard message.isComplete, message.end?.missingBytes == 0, !side.isUnread else { return false }
    return message.content.map { $0.outcome == .decoded } ?? true
  }
}

/// Judges the messages of each side of a call that is over.
protocol GRPCMessageRule: ExchangeRule {
  static func judge(_ messages: GRPCMessages, in context: FlowContext, report: (Finding) -> Void)
}

extension GRPCMessageRule {
  static var needs: ExchangeFacts { .call }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let call = exchange.grpc else { return }
    for message in [exchange.request, exchange.response].compactMap({ $0 }) {
      judge(
        GRPCMessages(
          exchange: exchange, side: call.sides[message.direction], message: message, direction: message.direction,
          isWeb: call.isWeb), in: context, report: report)
    }
  }

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

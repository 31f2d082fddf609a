import Events
import HTTPSemantics

extension MultipartBody {
  /// Of bytes that belong to no part.
  func finding(
    _ info: RuleInfo, _ what: String, _ before: [Evidence], _ aside: MultipartRecord.Aside, in context: FlowContext
  ) -> Finding {
    Finding(
      info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
      "\(exchange.title): \(what).", cost: .none, fix: info.fix,
      evidence: before + [
        Evidence(.packet(aside.first, message.direction), excerpt: aside.opening, "the first of these bytes")
      ])
  }
}

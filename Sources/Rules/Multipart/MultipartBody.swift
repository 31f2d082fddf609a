import Events
import HTTPSemantics

/// A message of a multipart type: a form that is uploaded, or a response in frames or ranges.
struct MultipartBody: Sendable {
  let exchange: ExchangeRecord
  let message: Message
  let head: MessageHead
  let type: HeaderField
  /// What its reader found; nil where it could not read it.
  let record: MultipartRecord?

  init?(_ message: Message, of exchange: ExchangeRecord) {
    guard let head = message.head, head.framing != .none, let type = head.multipartType else { return nil }
    self.exchange = exchange
    self.message = message
    self.head = head
    self.type = type
    record = message.multipart
  }
}

/// Judges a multipart body.
protocol MultipartBodyRule: StoryRule where Story == MultipartBody {}

/// Finds multipart bodies, and asks the rules about them.
struct MultipartBodies: ConnectionWatcher {
  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let request = exchange.request { judge(request, exchange, context, report) }
    if let response = exchange.response { judge(response, exchange, context, report) }
  }

  private func judge(
    _ message: Message, _ exchange: ExchangeRecord, _ context: FlowContext, _ report: (Finding) -> Void
  ) {
    guard message.head?.block.known.has(.contentType) == true, let body = MultipartBody(message, of: exchange) else {
      return
    }
    for rule in RuleIndex.multipartBodyRules { rule.judge(body, in: context, report: report) }
  }
}

extension MessageHead {
  /// The Content-Type field of a multipart message.
  var multipartType: HeaderField? {
    guard let field = block.first("content-type"), field.value.count > 10 else { return nil }
    let start = field.value.lowerBound
    return block.reads("multipart/", at: start..<start + 10) ? field : nil
  }
}

import Citation
import Events
import HTTPSemantics

/// Transfer-Encoding and Content-Length in one message.
enum TEAndCL: MessageRule {
  static let info = RuleInfo(
    id: "chunked/te-and-cl", severity: .error,
    summary: "A message has both Transfer-Encoding and Content-Length.",
    explanation: """
      Two fields say where the body ends, and they cannot both be right. The coding wins by specification, but peers \
      that look at the length first stop early or wait for bytes that never come; behind a proxy that is how one \
      request is smuggled inside another. nginx answers such a request with 400. Safari on iOS showed empty pages for \
      such responses of small embedded servers.
      """,
    evidence: """
      Both fields. This report reads the body by its chunks. With a request the answer is quoted where it is one of a \
      server that did not understand; that the two fields were the reason is inferred.
      """,
    fix: """
      Sender: drop Content-Length when the body is chunked; usually an application sets one field by hand and the \
      library adds the other. Proxy: forward one framing, and close the connection after such a message.
      """,
    specifications: [.transferEncoding, .bodyLength], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .leniences] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard message.lenience(.contentLengthAndTransferEncoding) != nil, let head = message.head,
      head.framing != .length,
      let coding = head.block.first("transfer-encoding"), let length = head.block.first("content-length")
    else { return }
    let isHurt = exchange.isRequest(message) && exchange.isMisunderstood
    let answer = isHurt ? Evidence.status(exchange.response, "the answer") : nil
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        .both(head, coding, length, message, exchange), cost: isHurt ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: [
          .field(coding, head, message.direction, "the framing that counts"),
          .field(length, head, message.direction, "the framing that must be ignored"),
        ] + [answer].compactMap { $0 }))
  }
}

extension FindingMessage {
  fileprivate static func both(
    _ head: MessageHead, _ coding: HeaderField, _ length: HeaderField, _ message: Message, _ exchange: ExchangeRecord
  ) -> Self {
    let length = head.block.value(length)
    let body = message.isComplete ? "; the body has \(Wording.bytes(message.bodyBytes))" : ""
    return
      "\(exchange.title): \(Wording.sender(message.direction)) announces \"\(head.block.value(coding))\" and a length of \(length)\(body)."
  }
}

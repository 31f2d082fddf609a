import Citation
import Events
import HTTPSemantics

/// A length that its body has not.
enum ContentLengthMismatch: MessageRule {
  static let info = RuleInfo(
    id: "h2/content-length-mismatch", severity: .error,
    summary: "A body is longer or shorter than its Content-Length says.",
    explanation: """
      END_STREAM says where a body ends, and the field has to agree. Receivers reset the stream with PROTOCOL_ERROR, \
      and the whole response is lost. Mostly a proxy compressed or changed the body and left the field as it was.
      """,
    evidence: "The field, and the end of the body.",
    fix: "Sender: drop or correct Content-Length where the body is changed.",
    specifications: [.malformed], since: "0.1")

  static var needs: ExchangeFacts { .http2 }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard message.isComplete, let head = message.head, !head.isInterim, let field = head.block.first("content-length"),
      let announced = UInt64(head.block.value(field)), let end = message.end, end.isCaptured,
      announced != end.bodyBytes, isBound(message, exchange)
    else { return }
    let difference = announced > end.bodyBytes ? announced - end.bodyBytes : end.bodyBytes - announced
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        "\(exchange.title): Content-Length is \(announced), and \(Wording.bytes(end.bodyBytes)) came.",
        cost: .lost(bytes: difference), fix: info.fix,
        evidence: [
          Evidence(
            .bytes(head.block.span(of: field.value), message.direction), excerpt: head.block.excerpt(of: field.value),
            "Content-Length"),
          Evidence(.packet(end.packet, message.direction), "the end of the body"),
        ]))
  }

  /// Its length is that of its body: not of a response to HEAD, nor of one that has no body at all, nor of what the
  /// receiver did not want to the end.
  private static func isBound(_ message: Message, _ exchange: ExchangeRecord) -> Bool {
    guard exchange.end.cause == .messages || exchange.end.resetCode.map({ $0 != 0 }) ?? false else { return false }
    let asked = exchange.request?.head
    let method = asked?.method
    guard method != .connect else { return false }
    // The request was not captured: it may have been HEAD.
    if !exchange.isRequest(message), message.bodyBytes == 0, asked?.block.first(":method") == nil { return false }
    return exchange.isRequest(message) || method != .head && !message.status.forbidsBody
  }
}

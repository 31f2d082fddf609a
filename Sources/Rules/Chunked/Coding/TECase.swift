import Citation
import Events
import HTTPSemantics

/// `Transfer-Encoding: Chunked`: legal, and refused by servers that compare letter by letter.
enum TECase: MessageRule {
  static let info = RuleInfo(
    id: "chunked/te-case", severity: .warning, confidence: .medium,
    summary: "The transfer coding is not written in lower case.",
    explanation: """
      Coding names are compared without case, so `Chunked` is correct, and Apple's URLSession and WebDAV client send it \
      so. Servers that compare the bytes do not recognise it: they take the upload for one without a body, answer 400, \
      411, 500 or 501, or wait for bytes that are already there. The same request from another client works, and one \
      letter is the difference.
      """,
    evidence: """
      The field as it was sent, and the answer. That the answer was caused by the letter is inferred; only answers of \
      a server that did not understand the request (400, 411, 500, 501 and the like) count, not a 401 or 404. \
      `chunked` in lower case does not count.
      """,
    fix: """
      Receiver: compare coding names without case, as RFC 9112 demands, or update (many servers have fixed this). \
      Until then use a proxy in front that rewrites the field. Sender: where the library allows it, write "chunked".
      """,
    specifications: [
      Specification("RFC 9112 §7", "https://www.rfc-editor.org/rfc/rfc9112#section-7"),
      Specification("RFC 9112 §6.1", "https://www.rfc-editor.org/rfc/rfc9112#section-6.1"),
    ],
    since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .leniences] }

  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void
  ) {
    guard message.lenience(.chunkedCase) != nil, let head = message.head,
      let field = head.block.first("transfer-encoding")
    else { return }
    let isRequest = exchange.isRequest(message)
    let isRefused = isRequest && exchange.isMisunderstood
    let answer = Evidence.status(exchange.response, isRefused ? "the answer" : "not refused")
    report(
      Finding(
        Self.info, severity: isRefused ? .error : .warning, subject: .connection(context.id),
        exchange: exchange.number, direction: message.direction,
        .spelled(head.block.value(field), exchange, isRefused: isRefused),
        cost: isRefused ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: [.field(field, head, message.direction, "legal, but not in the usual lower case")]
          + (isRequest ? [answer].compactMap { $0 } : [])))
  }
}

extension FindingMessage {
  fileprivate static func spelled(_ value: String, _ exchange: ExchangeRecord, isRefused: Bool) -> Self {
    isRefused
      ? "\(exchange.title): the request says \"Transfer-Encoding: \(value)\"; servers that compare bytes with \"chunked\" refuse it."
      : "\(exchange.title): \"Transfer-Encoding: \(value)\" is legal, and some peers do not recognise it."
  }
}

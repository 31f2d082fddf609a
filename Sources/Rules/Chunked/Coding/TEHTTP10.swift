import Citation
import Events
import HTTPSemantics

/// Chunks where the version of the message, or of the request, does not know them.
enum TEHTTP10: ExchangeRule {
  static let info = RuleInfo(
    id: "chunked/te-http10", severity: .error,
    summary: "A transfer coding is used with HTTP/1.0, which has none.",
    explanation: """
      HTTP/1.0 has no chunks. A reader of that version takes size lines for content, and a newer one must treat the \
      message as faulty and close the connection after it: nginx refuses such a request with 400. Typical causes are a \
      proxy that lowers the version of a request and passes the answer on as it is, a script that writes its own status \
      line, and nginx towards an origin before proxy_http_version 1.1 was set.
      """,
    evidence: """
      The start lines with their versions, and the field. Chunks in answer to a request of HTTP/1.0 count even where \
      the response itself is 1.1.
      """,
    fix: """
      Server: answer HTTP/1.0 with Content-Length or by closing. Proxy: send HTTP/1.1 upstream when it passes chunks on, \
      or undo them. Client: ask with HTTP/1.1.
      """,
    specifications: [.transferEncoding, .bodyLength], since: "0.1")

  static var needs: ExchangeFacts { .chunks }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    if let request = exchange.request, request.lenience(.transferEncodingInHTTP10) != nil {
      judge(request, answering: nil, exchange, context, report)
    }
    guard let response = exchange.response, let head = response.head else { return }
    let asked = exchange.request.flatMap { $0.head?.version == .http10 ? $0 : nil }
    if response.lenience(.transferEncodingInHTTP10) != nil {
      judge(response, answering: nil, exchange, context, report)
    } else if let asked, head.framing == .chunked {
      judge(response, answering: asked, exchange, context, report)
    }
  }

  /// `asked` is the request of HTTP/1.0 when the message answers one and is itself of a later version.
  private static func judge(
    _ message: Message, answering asked: Message?, _ exchange: ExchangeRecord, _ context: FlowContext,
    _ report: (Finding) -> Void
  ) {
    guard let head = message.head, let field = head.block.first("transfer-encoding") else { return }
    let isHurt = exchange.isRequest(message) && exchange.isMisunderstood
    var evidence: [Evidence] = []
    if let line = asked.flatMap({ Evidence.startLine($0, "asks with HTTP/1.0") }) { evidence.append(line) }
    if asked == nil, let line = Evidence.startLine(message, "the version") { evidence.append(line) }
    evidence.append(.field(field, head, message.direction, "a coding that this version does not have"))
    if isHurt, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: message.direction,
        asked == nil
          ? "\(exchange.title): \(Wording.sender(message.direction)) sends HTTP/\(head.version.description) and chunks, which that version does not have."
          : "\(exchange.title): the request is HTTP/1.0, and the answer is chunked; a reader of that version takes the size lines for content.",
        cost: isHurt ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: evidence))
  }
}

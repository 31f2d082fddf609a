import Citation
import Events
import HTTPSemantics

/// A request that names the type of its body, and has none.
enum PostEmptyWithType: ExchangeRule {
  static let info = RuleInfo(
    id: "http/post-empty-with-type", severity: .warning, confidence: .medium,
    summary: "A request declares the type of a body and sends an empty one.",
    explanation: """
      Content-Type with Content-Length: 0 is what is left of an upload whose body got lost inside the client. On Apple \
      platforms a custom URLProtocol is the classic: the request it gets has its body as a stream only, and code that \
      copies httpBody copies nothing. Interceptors and retries that reuse a stream already read to its end do the \
      same. The server sees valid HTTP and an empty document, and answers 400 or 422, or stores nothing.
      """,
    evidence: """
      The type, the length of zero, and the answer. That a body was lost is inferred: some requests are empty on \
      purpose. An empty POST that is answered 401 or 407 does not count, for NTLM and Negotiate send one intentionally \
      before the real one; nor is an empty form unless it was refused.
      """,
    fix: """
      Client: pass the body on: in a URLProtocol read httpBodyStream, in an interceptor buffer or recreate the stream \
      before a retry. If the request is meant to be empty, leave Content-Type out.
      """,
    specifications: [
      Specification("RFC 9110 §8.3", "https://www.rfc-editor.org/rfc/rfc9110#section-8.3"),
      Specification("RFC 9110 §8.6", "https://www.rfc-editor.org/rfc/rfc9110#section-8.6"),
    ],
    since: "0.1")

  /// Answers of a server that missed the content. 401, 403, 404, 408 and 429 have other reasons.
  private static let missed: Set<UInt16> = [400, 405, 406, 409, 411, 412, 413, 415, 417, 422]

  static var needs: ExchangeFacts { [] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let head = request.head, head.framing == .length, head.contentLength == 0,
      head.reason == .contentLength, head.method == .post || head.method == .put || head.method == .patch,
      let type = head.block.first("content-type"), let length = head.block.first("content-length"),
      exchange.status.code != 401, exchange.status.code != 407
    else { return }
    let isRefused = Self.missed.contains(exchange.status.code)
    let essence = head.block.contentType?.essence ?? ""
    guard isRefused || essence != "application/x-www-form-urlencoded" else { return }
    var evidence = [
      Evidence.field(type, head, request.direction, "there should be content"),
      Evidence.field(length, head, request.direction, "and there is none"),
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    report(
      Finding(
        Self.info, severity: isRefused ? .error : .warning, subject: .connection(context.id),
        exchange: exchange.number, direction: request.direction, .empty(exchange, essence, isRefused: isRefused),
        cost: isRefused ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: evidence))
  }
}

extension FindingMessage {
  fileprivate static func empty(_ exchange: ExchangeRecord, _ type: String, isRefused: Bool) -> Self {
    let method = exchange.method
    return isRefused
      ? "\(exchange.title): the \(method) declares \(type) and sends 0 B; the body was probably lost in the client."
      : "\(exchange.title): the \(method) declares \(type) and sends 0 B."
  }
}

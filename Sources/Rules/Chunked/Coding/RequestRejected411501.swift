import Citation
import Events
import HTTPSemantics

/// A chunked request that the server answered with "length required" or "not implemented".
enum RequestRejected411501: ExchangeRule {
  static let info = RuleInfo(
    id: "chunked/request-rejected-411-501", severity: .error,
    summary: "The server refused a chunked request.",
    explanation: """
      411 says that the server wants a Content-Length, 501 that it does not know the coding. HTTP/1.1 obliges servers to \
      read chunks, but many that sit between do not: S3-like stores for PUT, gateways to FastCGI and WSGI, nginx Unit, \
      some web application firewalls. Uploads of unknown length work in one environment and fail in the next, and a \
      retry sends the same request into the same wall.
      """,
    evidence: """
      The request's Transfer-Encoding and the answer. A 400 counts only when it came within a round trip of the head and \
      before the body was over, and the request has no other fault; then it is inferred, and less sure.
      """,
    fix: """
      Client: send Content-Length (buffer the body, or use a multipart upload of known parts). Server: turn request \
      buffering on in the proxy before it, or use a gateway that reads chunks.
      """,
    specifications: [
      Specification("RFC 9110 §15.5.12", "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.12"), .transferEncoding,
    ],
    thresholds: [.earlyRefusal],
    causedBy: [
      "chunked/te-case", "chunked/te-identity", "chunked/te-unknown-coding", "chunked/te-and-cl", "chunked/te-http10",
      "chunked/te-duplicate-field", "chunked/te-chunked-twice", "chunked/te-not-final", "chunked/te-non-token",
      "chunked/te-list-empty-element", "chunked/body-not-chunked",
    ], since: "0.1")

  static var needs: ExchangeFacts { [.chunks, .denial] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let response = exchange.response, let head = request.head,
      head.framing == .chunked
    else { return }
    let code = exchange.status.code
    guard code == 411 || code == 501 || code == 400 && isAtOnce(exchange, request, context),
      let field = head.block.first("transfer-encoding"),
      let answer = Evidence.startLine(response, "the answer")
    else { return }
    var evidence = [Evidence.field(field, head, request.direction, "a body without a length"), answer]
    if let server = Evidence.field("server", of: response, "the server that refuses") { evidence.append(server) }
    let isInferred = code == 400
    report(
      Finding(
        Self.info, severity: isInferred ? .warning : .error, confidence: isInferred ? .low : .high,
        subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
        .rejected(exchange, code), cost: .failed(.exchange),
        fix: info.fix,
        evidence: evidence))
  }

  /// The refusal came before the body was over, as soon as the head can have been read.
  private static func isAtOnce(_ exchange: ExchangeRecord, _ request: Message, _ context: FlowContext) -> Bool {
    guard exchange.requestBytesAtResponse != nil, request.isWhollyCaptured, request.leniences.isEmpty,
      request.errors.isEmpty,
      let wait = exchange.wait, let roundTrip = context.roundTrip.total
    else { return false }
    return wait <= roundTrip &+ context.thresholds[.earlyRefusal]
  }
}

extension Threshold {
  static let earlyRefusal = Threshold(
    "chunked.early-refusal", .nanoseconds, 20_000_000, "more than a round trip from a request's head to its refusal")
}

extension FindingMessage {
  fileprivate static func rejected(_ exchange: ExchangeRecord, _ code: UInt16) -> Self {
    switch code {
    case 411: "\(exchange.title): the server requires a Content-Length, and the request is chunked."
    case 501: "\(exchange.title): the server does not implement what the chunked request asks for."
    default:
      "\(exchange.title): the server refused the chunked request \(Wording.duration(exchange.wait ?? 0)) after its head, before the body was over; that the coding is the reason is inferred."
    }
  }
}

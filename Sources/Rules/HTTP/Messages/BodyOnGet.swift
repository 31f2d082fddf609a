import Citation
import Events
import HTTPSemantics

/// Content in a request whose method gives it no meaning.
enum BodyOnGet: ExchangeRule {
  static let info = RuleInfo(
    id: "http/body-on-get", severity: .warning,
    summary: "A GET, HEAD or DELETE request has a body.",
    explanation: """
      Content in such a request has no meaning of its own, and cannot change what the request is for. Some proxies and \
      CDNs refuse it (CloudFront and Google's front ends answer 403 or 400), some drop the body and forward the rest, \
      caches ignore it in their keys, URLSession and fetch() do not send one, and servers that do not read it find it \
      before the next request. Search interfaces that require it work until a proxy is placed in front.
      """,
    evidence: "The request's head, the first bytes of the body, and a refusal where there was one.",
    fix: "Client and server: use POST or, where both know it, QUERY; or move the parameters into the query.",
    specifications: [
      Specification("RFC 9110 §9.3.1", "https://www.rfc-editor.org/rfc/rfc9110#section-9.3.1"),
      Specification("RFC 9110 §9.3.5", "https://www.rfc-editor.org/rfc/rfc9110#section-9.3.5"),
    ],
    since: "0.1")

  private static let refused: Set<UInt16> = [400, 403, 405, 411, 413, 415, 501]

  static var needs: ExchangeFacts { .body }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, request.bodyBytes > 0, let head = request.head, let first = request.firstBody,
      head.method == .get || head.method == .head || head.method == .delete
    else { return }
    let isRefused = Self.refused.contains(exchange.status.code)
    var evidence = [
      Evidence(.packet(head.span.first, request.direction), "the head"),
      Evidence(.packet(first, request.direction), "the first bytes of its body"),
    ]
    if isRefused, let answer = Evidence.status(exchange.response, "the answer") { evidence.append(answer) }
    report(
      Finding(
        Self.info, confidence: isRefused ? .medium : .high, subject: .connection(context.id),
        exchange: exchange.number, direction: request.direction,
        "\(exchange.title): the request has a body of \(Wording.bytes(request.bodyBytes)), which \(exchange.method) gives no meaning.",
        cost: isRefused ? .failed(.exchange) : .none, fix: info.fix,
        evidence: evidence))
  }
}

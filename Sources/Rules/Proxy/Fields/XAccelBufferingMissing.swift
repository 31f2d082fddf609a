import Events
import HTTPSemantics

/// A stream on its way to an nginx that is not told to pass it on as it comes.
enum XAccelBufferingMissing: ExchangeRule {
  static let info = RuleInfo(
    id: "proxy/x-accel-buffering-missing", severity: .note, confidence: .low,
    summary: "A stream goes to a proxy that looks like nginx, without X-Accel-Buffering: no.",
    explanation: """
      nginx buffers what the server behind it answers (proxy_buffering is on unless it is switched off). A body in chunks \
      still passes as it comes; one that ends with the connection, and one that nginx compresses, is collected. With \
      X-Accel-Buffering: no in the response the server switches that off itself, whatever the configuration says.
      """,
    evidence: """
      The field by which the request shows that a proxy passed it on, and the response's head without the field. That \
      the proxy is nginx is inferred from X-Real-IP, or from HTTP/1.0, which nginx speaks to the server behind it.
      """,
    fix: "Server: answer a stream with X-Accel-Buffering: no. Proxy (nginx): proxy_buffering off for this route.",
    specifications: [
      Specification(
        "nginx proxy_buffering", "https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering")
    ],
    since: "0.1")

  static var needs: ExchangeFacts { .declaredItems }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, head.status.code == 200,
      let request = exchange.request, let asked = request.head,
      let passed = asked.forwardingField, asked.block.first("x-real-ip") != nil || asked.version == .http10,
      !head.block.contains("no", in: "x-accel-buffering")
    else { return }
    report(
      Finding(
        info, subject: .connection(context.id), exchange: exchange.number, direction: response.direction,
        "\(exchange.title): the stream goes to a proxy that looks like nginx, and does not ask it to pass it on at once.",
        cost: .none, fix: info.fix,
        evidence: [
          .field(asked.block.first("x-real-ip") ?? passed, asked, request.direction, "a proxy passed the request on"),
          Evidence(.packet(head.span.first, response.direction), "no X-Accel-Buffering: no"),
        ]))
  }
}

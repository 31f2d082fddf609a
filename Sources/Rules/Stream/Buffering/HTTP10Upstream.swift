import Events
import HTTPSemantics

/// A proxy asks for a stream in HTTP/1.0.
enum HTTP10Upstream: ExchangeRule {
  static let info = RuleInfo(
    id: "stream/http10-upstream", severity: .warning,
    summary: "A proxy requested a stream with HTTP/1.0.",
    explanation: """
      HTTP/1.0 has no chunks, so the server behind the proxy can only end the body by closing the connection. Proxies \
      buffer such a body more readily, since nothing marks where a piece ends and whether it is complete; nginx used \
      HTTP/1.0 towards its upstreams by default until version 1.29.7. The connection cannot be used again, and a cut \
      looks like an end.
      """,
    evidence: """
      The request line, the field by which it shows that a proxy wrote it, and the streamed response. What the proxy does \
      with it shows on its other side.
      """,
    fix: """
      Proxy (nginx): proxy_http_version 1.1 and proxy_set_header Connection "", together with proxy_buffering off. The version \
      alone helps only if the server then sends chunks.
      """,
    specifications: [
      Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1"),
      Specification(
        "nginx proxy_http_version", "https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_http_version"),
    ], since: "0.1")

  static var needs: ExchangeFacts { [.response, .body, .untilClose] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let asked = request.head, let response = exchange.response,
      let head = response.head, head.framing == .close, head.status.code == 200,
      exchange.stream != nil || response.isDrip,
      asked.version == .http10 || asked.block.contains("close", in: "connection"),
      let mark = asked.forwardingField, let line = Evidence.startLine(request, "HTTP/1.0, or to be closed")
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        "\(exchange.title): a proxy requested this stream with \(asked.version == .http10 ? "HTTP/1.0" : "Connection: close"), and the body has no other end than the connection's; proxies tend to hold such a body.",
        cost: .none,
        fix: info.fix,
        evidence: [
          line, .field(mark, asked, request.direction, "a proxy wrote this request"),
          Evidence(.packet(head.span.first, response.direction), "the response, without length and chunks"),
        ]))
  }
}

import Events
import HTTPSemantics

/// Streamed items that came together, all of them at the end.
enum BufferedUntilEnd: HeldStreamRule {
  static let info = RuleInfo(
    id: "stream/buffered-until-end", severity: .warning, confidence: .medium,
    summary: "A streamed response arrived in one burst, right before its end.",
    explanation: """
      A response of a streaming type is meant to be read while it is made. Here nothing of it came for seconds, and then \
      everything: a proxy that collects the body until the server is done looks like this, and so do a compressor that \
      is not flushed and a server that writes only at the end. nginx with its standard settings is the best known: it \
      asks the server behind in HTTP/1.0, gets a body whose end is the end of the connection, and waits for it.
      """,
    evidence: """
      The request, the first byte of the body, and the last event or line; and the field that names a likely holder. \
      At one capture point a server that wrote late and a proxy that held look the same: the time is what was waited \
      at most for nothing. JSON lines of announced length, or after less than four seconds, where no proxy or \
      compressor shows that could have held them, may be the answer to a slow query, and cost nothing. Confidence grows \
      with the number of items, the wait, a likely holder in sight and with repetition on the connection. A response with \
      a single event is not judged.
      """,
    fix: """
      Proxy: do not buffer this route (nginx: proxy_buffering off). Server: flush after each piece, and send \
      X-Accel-Buffering: no. Leave streaming types out of compression. Capture on the proxy's host to see who held.
      """,
    specifications: [
      Specification("RFC 9110 §7.6", "https://www.rfc-editor.org/rfc/rfc9110#section-7.6"),
      Specification(
        "nginx proxy_buffering", "https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering"),
    ],
    thresholds: [.bufferedWait, .bufferedBurst, .bufferedItems], causedBy: ["sse/buffered", "proxy/hop-joined"],
    since: "0.1")

  static func judge(_ held: HeldStream, in context: FlowContext, report: (Finding) -> Void) {
    guard case .untilEnd = held.signature else { return }
    report(held.finding(info, in: context))
  }
}

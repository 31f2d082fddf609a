import Events
import HTTPSemantics

/// Streamed items that came together: all of them at the end, or a block at a time.
struct BufferedStream: Sendable {
  static let untilEnd = RuleInfo(
    id: "stream/buffered-until-end", severity: .warning, confidence: .medium,
    summary: "A streamed response came all at once, right before its end.",
    explanation: """
      A response of a streaming type is meant to be read while it is made. Here nothing of it came for seconds, and then \
      everything: a proxy that collects the body until the server is done looks like this, and so do a compressor that \
      is not flushed and a server that writes only at the end. nginx with its standard settings is the best known: it \
      asks the server behind in HTTP/1.0, gets a body whose end is the end of the connection, and waits for it.
      """,
    evidence: """
      The request, the first byte of the body, and the last event or line; and the field that names a likely holder. At \
      one capture point a server that wrote late and a proxy that held look the same: the time is what was waited at \
      most for nothing. JSON lines of announced length that nobody in sight can have held may be the answer to a slow \
      query, and cost nothing. A response with a single event is not judged.
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
    thresholds: [.bufferedWait, .bufferedItems], since: "0.1")

  static let blocks = RuleInfo(
    id: "stream/block-buffered", severity: .warning, confidence: .medium,
    summary: "A streamed response comes in full blocks of a buffer.",
    explanation: """
      Programs that print through a buffer write it out when it is full: 4,096 bytes in C's stdio on pipes and in PHP, 8 \
      KiB and more in proxies and application servers, 16 KiB where TLS records are filled first. A stream of small \
      events then stands still until a block is full, and an event that lies across the edge of a block waits for the \
      next block to be read at all.
      """,
    evidence: """
      An event or line that begins in one burst and ends in a later one. Every burst is a multiple of the same power of \
      two, give or take 16 bytes, and most of them end in the middle of an item: a sender that flushes its items does \
      neither.
      """,
    fix: """
      Server: flush after each event (PHP: output_buffering off; Python: flush=True; stdio: setvbuf). Proxy: do not \
      buffer this route.
      """,
    specifications: [
      Specification("HTML §9.2.7", "https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes")
    ], since: "0.1")

  func observe(_ held: HeldStream, in context: FlowContext, report: (Finding) -> Void) {
    let info: RuleInfo
    switch held.signature {
    case .untilEnd: info = Self.untilEnd
    case .blocks: info = Self.blocks
    case .unflushed: return
    }
    report(
      Finding(
        info, confidence: context.isMidstream ? .low : held.confidence, subject: .connection(context.id),
        exchange: held.exchange.number, direction: held.response.direction,
        FindingMessage(held.isToldAsEvents ? held.brief : held.course + " " + held.doubt),
        cost: held.mayBeSlowAnswer ? .none : .delay(nanoseconds: held.delay), fix: held.fix,
        evidence: held.evidence))
  }
}

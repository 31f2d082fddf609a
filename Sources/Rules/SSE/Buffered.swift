import Events
import HTTPSemantics

/// Events that were held back: the head of what stream/ reports of the same response.
enum Buffered: HeldStreamRule {
  static let info = RuleInfo(
    id: "sse/buffered", severity: .warning, confidence: .medium,
    summary: "Events were buffered and arrived together.",
    explanation: """
      A buffer between the program that makes the events and the client collects them: a proxy that buffers responses, \
      a compressor that is not flushed, a runtime that writes blocks. The page stays empty and then shows everything. \
      What it does not depend on is just as useful to know: nginx passes events on as they come if the server behind \
      answers with chunks, buffering or not; it holds a body that only the end of the connection ends, and anything it \
      compresses.
      """,
    evidence: """
      The request, the field that names a likely holder or the compression, and the events' packets. From one side a proxy \
      that held and a server that wrote late look the same, so the cost is the most that was lost.
      """,
    fix: """
      Proxy: do not buffer and do not compress this route (nginx: proxy_buffering off, and no text/event-stream in \
      gzip_types). Server: X-Accel-Buffering: no, Cache-Control: no-transform, a flush after each event. A capture on the \
      proxy's host shows both sides, and with them who held.
      """,
    specifications: [
      .eventStreamNotes,
      Specification(
        "nginx proxy_buffering", "https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_buffering"),
    ],
    thresholds: [.bufferedWait, .bufferedBurst, .bufferedItems],
    causedBy: ["proxy/hop-joined", "proxy/sse-unsupported-edge"],
    since: "0.1")

  static func judge(_ held: HeldStream, in context: FlowContext, report: (Finding) -> Void) {
    guard held.exchange.eventResponse != nil else { return }
    report(
      Finding(
        Self.info, confidence: context.isMidstream ? .low : held.confidence, subject: .connection(context.id),
        exchange: held.exchange.number, direction: held.response.direction,
        FindingMessage(held.course, doubt: held.doubt),
        cost: held.delay > 0 ? .delay(nanoseconds: held.delay) : .none, fix: held.fix, evidence: held.evidence))
  }
}

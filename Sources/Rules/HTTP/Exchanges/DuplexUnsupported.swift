import Citation
import Events
import HTTPSemantics

/// Both bodies of an exchange sent at once, in turns.
enum DuplexUnsupported: ExchangeRule {
  static let info = RuleInfo(
    id: "http/duplex-unsupported", severity: .warning, confidence: .medium,
    summary: "Request and response bodies took turns on one exchange.",
    explanation: """
      This exchange is used as a two-way channel: the response streams while the request's body goes on. HTTP/1.1 does not \
      forbid it and does not promise it. Browsers refuse it, and a proxy, CDN or load balancer may wait for the whole \
      request first, or end the request as soon as the response begins: the client goes on sending, and nothing arrives.
      """,
    evidence: """
      The first byte of the response's body with the request still open, and the last turn. On this leg nothing needs \
      to look wrong: whether the bytes reached the origin only a capture there shows. An early error answer does not \
      count.
      """,
    fix: """
      Use two requests, one up and one down, joined by an id; or a WebSocket; or HTTP/2 end to end. Where the path is yours, \
      test each hop with a body that waits for the response.
      """,
    specifications: [
      Specification("RFC 9112 §9.3", "https://www.rfc-editor.org/rfc/rfc9112#section-9.3"),
      Specification("RFC 9112 §7.1", "https://www.rfc-editor.org/rfc/rfc9112#section-7.1"),
    ],
    thresholds: [.bodyTurns], since: "0.1")

  static var needs: ExchangeFacts { .body }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    let turns = exchange.interleaving
    guard turns.requestRuns > 0, let first = turns.first, let last = turns.last else { return }
    let least = Int(clamping: context.thresholds[.bodyTurns])
    guard turns.requestRuns >= least, turns.responseRuns >= least, !exchange.status.isError,
      let request = exchange.request, let response = exchange.response
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toServer,
        """
        \(exchange.title): both bodies were sent at once for \(Wording.duration(turns.nanoseconds)), \
        \(turns.requestRuns) times up and \(turns.responseRuns) times down; not every hop carries that.
        """, cost: .none, fix: info.fix,
        evidence: [
          Evidence(.packet(first, response.direction), "the response's body begins; the request's is open"),
          Evidence(
            .packet(last, (request.lastBody?.number ?? 0) >= last.number ? request.direction : response.direction),
            "the last byte while both are open"),
        ]))
  }
}

extension Threshold {
  static let bodyTurns = Threshold(
    "http.body-turns", .count, 2, "runs of each body after the other had begun")
}

import Citation
import Events
import HTTPSemantics

/// An upload that goes on into a proxy which no longer passes it on.
enum UplinkBlackHole: ExchangeRule {
  static let info = RuleInfo(
    id: "proxy/uplink-black-hole", severity: .warning, confidence: .low,
    summary: "The client kept uploading, and the response no longer followed.",
    explanation: """
      On an exchange that streams both ways the two bodies took turns at first: what was sent was answered. Then the \
      client's bytes were still taken and acknowledged, and nothing came back any more. A proxy acknowledges what it \
      receives whether or not it passes it on; some stop passing an upload on as soon as the response has begun.
      """,
    evidence: """
      The last body byte of the response, and the upload that went on after it for the time shown. Inferred: a server \
      that reads and has nothing to send looks the same. A capture between proxy and server decides it; look for the \
      request's last chunk there (proxy/premature-request-terminator). While the capture shows no end of it, nothing \
      is known to be lost.
      """,
    fix: """
      Proxy: pass both bodies at the same time. Client: use one request for each direction, and expect an answer to what \
      it sends within a time of its own.
      """,
    specifications: [
      Specification("RFC 9110 §7.5", "https://www.rfc-editor.org/rfc/rfc9110#section-7.5")
    ],
    thresholds: [.unansweredUpload], since: "0.1")

  static var needs: ExchangeFacts { .body }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, exchange.interleaving.requestRuns > 0, exchange.interleaving.responseRuns > 0,
      let response = exchange.response, !response.isComplete, let heard = response.lastBody,
      let sent = request.lastBody,
      request.isWhollyCaptured, response.isWhollyCaptured
    else { return }
    let unanswered = sent.time.since(heard.time)
    guard unanswered >= context.thresholds[.unansweredUpload] else { return }
    let isOver = response.incomplete.map { $0.cause == .fin || $0.cause == .reset } ?? false
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: request.direction,
        .unanswered(exchange, unanswered), cost: isOver ? .failed(.exchange) : .none,
        fix: info.fix,
        evidence: [
          Evidence(.packet(heard, response.direction), "the last body byte of the response"),
          Evidence(.packet(sent, request.direction), "the upload goes on to here"),
        ]))
  }
}

extension Threshold {
  static let unansweredUpload = Threshold(
    "proxy.unanswered-upload", .nanoseconds, 30_000_000_000, "an upload that goes on this long without an answer")
}

extension FindingMessage {
  fileprivate static func unanswered(_ exchange: ExchangeRecord, _ nanoseconds: Int64) -> Self {
    """
    \(exchange.title): both bodies took turns, then the client uploaded for another \(Wording.duration(nanoseconds)) \
    and no response followed.
    """
  }
}

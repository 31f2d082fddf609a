import Citation
import Events
import HTTPSemantics

/// The end of a response that comes apart from it.
enum EndStreamLate: ExchangeRule {
  static let info = RuleInfo(
    id: "h2/end-stream-late", severity: .warning,
    summary: "A response was complete long before its stream ended.",
    explanation: """
      A client knows that a response is over by END_STREAM. Where that comes late, calls that wait for the whole response \
      wait for nothing: the handler flushed and did not return, or a proxy waited for its upstream to close.
      """,
    evidence: """
      The DATA that made the body as long as content-length says, and what came instead of an end. Without a length the \
      one burst that the body came in is a guess. Event streams and calls end when the application wants.
      """,
    fix: "Server: end the response with its last bytes. Proxy: end it when the upstream's response is whole.",
    specifications: [.messages2], thresholds: [.endLate], since: "0.1")

  static var needs: ExchangeFacts { .http2 }

  private static let lateWithoutLength: Int64 = 1_000_000_000

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let response = exchange.response, let head = response.head, let last = response.lastBody,
      let end = response.end, !exchange.isCall, response.trailers == nil, !exchange.isSocketStream,
      exchange.request?.head?.method != .head, exchange.request?.head?.method != .connect,
      response.incomplete?.cause != .gap
    else { return }
    let wait = end.released.time.since(last.time)
    let length = head.block.number("content-length")
    let trip = context.roundTrip.total ?? 0
    var confidence = Confidence.high
    var cost = Cost.delay(nanoseconds: wait)
    if let length {
      guard response.bodyBytes == length else { return }
      let least = response.isComplete ? context.thresholds[.endLate] : Self.lateWithoutLength
      guard wait >= least, wait > 2 &* trip else { return }
      if !response.isComplete, response.incomplete?.cause == .captureEnded { return }
    } else {
      // A stream of events or lines has no length, and is over when its application says so.
      guard response.isComplete, response.pauses == 0, !response.isReadByItem, wait >= Self.lateWithoutLength else {
        return
      }
      confidence = .low
      cost = .none
    }
    let what = response.isComplete ? "END_STREAM" : "the end, without END_STREAM"
    report(
      Finding(
        info, confidence: confidence, subject: .connection(context.id), exchange: exchange.number,
        direction: .toClient,
        "\(exchange.title): \(what) came \(Wording.duration(wait)) after the last byte of the response.", cost: cost,
        fix: info.fix,
        evidence: [
          Evidence(.packet(last, .toClient), "the last byte"), Evidence(.packet(end.packet, .toClient), what),
        ]))
  }
}

extension Threshold {
  static let endLate = Threshold(
    "h2.end-late", .nanoseconds, 200_000_000, "an end that comes later behind the last byte of a known length is late")
}

import Citation
import Events
import HTTPSemantics

/// A response whose first byte was long in coming.
enum TTFBSlow: ExchangeRule {
  static let info = RuleInfo(
    id: "http/ttfb-slow", severity: .note,
    summary: "The response took long to begin.",
    explanation: """
      The request was there, and the first byte of the response came much later than the network needs. The time went into \
      the server, or into something behind it. A long poll is meant to be like this.
      """,
    evidence:
      "The last packet of the request, and the first of the response; a 100 Continue between them is not counted.",
    fix: "Server: find what the time went into; send the head early if the body takes long.",
    specifications: [
      Specification("RFC 9110 §15.2", "https://www.rfc-editor.org/rfc/rfc9110#section-15.2")
    ],
    thresholds: [.firstByteWait, .firstByteRoundTrips],
    causedBy: ["sse/buffered", "stream/buffered-until-end", "ws/hs-slow"], since: "0.1")

  static var needs: ExchangeFacts { [] }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let request = exchange.request, let response = exchange.response, request.isComplete,
      request.last.number < response.first.number
    else { return }
    let wait = response.first.time.since(request.last.time)
    guard wait > context.thresholds[.firstByteWait], request.isWhollyCaptured, !context.isMidstream,
      wait / max(1, context.thresholds[.firstByteRoundTrips]) > context.roundTrip.total ?? 0
    else { return }
    let roundTrip = context.roundTrip.total.map { "; a round trip takes \(Wording.duration($0))" } ?? ""
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: .toClient,
        "\(exchange.title): the response began \(Wording.duration(wait)) after the request was complete\(roundTrip).",
        cost: .none,
        evidence: [
          Evidence(.packet(request.last, request.direction), "the request is complete"),
          Evidence(.packet(response.first, response.direction), "the response begins"),
        ]))
  }
}

extension Threshold {
  static let firstByteWait = Threshold(
    "http.first-byte-wait", .nanoseconds, 1_000_000_000, "a response that begins this late is slow")
  static let firstByteRoundTrips = Threshold(
    "http.first-byte-round-trips", .count, 10, "and it took more than so many round trips")
}

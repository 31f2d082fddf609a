import Citation
import Events
import HTTPSemantics

/// An interim response the client did not ask for, after which it left.
enum Unexpected1xx: DisturbedExchangeRule {
  static let info = RuleInfo(
    id: "http/unexpected-1xx", severity: .warning, confidence: .medium,
    summary: "The client closed after an interim response that it had not requested.",
    explanation: """
      A client must accept 1xx responses, requested or not. Old ones and simple ones know 100 at most, take 102 or 103 \
      for the answer, and close or fail. The same server works with clients that were written later.
      """,
    evidence: """
      The interim response, and the client's end before the final one was there. That the one caused the other is \
      inferred; a client that timed out looks the same.
      """,
    fix: "Server or CDN: send 103 Early Hints and 102 only to clients known to read them. Client: skip every 1xx.",
    specifications: [
      Specification("RFC 9110 §15.2", "https://www.rfc-editor.org/rfc/rfc9110#section-15.2")
    ],
    thresholds: [.idleReuse], since: "0.1")

  static func judge(_ disturbed: DisturbedExchange, in context: FlowContext, report: (Finding) -> Void) {
    let (exchange, story) = (disturbed.exchange, disturbed.story)
    guard let interim = exchange.interim.first(where: { $0.status.code != 100 }) ?? unasked(exchange),
      exchange.isUnanswered, context.closedBy == .toServer,
      let left = story.fins.toServer ?? story.reset?.packet, left.number > interim.first.number,
      // A client that waits longer than this has understood that more is to come.
      left.time.since(interim.last.time) < context.thresholds[.idleReuse]
    else { return }
    report(
      Finding(
        Self.info, subject: .connection(context.id), exchange: exchange.number, direction: interim.direction,
        """
        \(exchange.title): the client closed \(Wording.duration(left.time.since(interim.last.time))) after an interim \
        \(String(interim.status.code)) that it had not requested, before the final response.
        """, cost: .failed(.exchange), fix: info.fix,
        evidence: [
          Evidence(.packet(interim.first, interim.direction), "the interim response"),
          Evidence(.packet(left, .toServer), "the client leaves"),
        ]))
  }

  private static func unasked(_ exchange: ExchangeRecord) -> Message? {
    guard let interim = exchange.interim.first, let head = exchange.request?.head,
      !head.block.contains("100-continue", in: "expect")
    else { return nil }
    return interim
  }
}

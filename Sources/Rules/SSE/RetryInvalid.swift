import Citation
import Events
import HTTPSemantics

/// A reconnection time that is none, or far too short.
enum RetryInvalid: ExchangeRule {
  static let info = RuleInfo(
    id: "sse/retry-invalid", severity: .warning,
    summary: "The reconnection time of an event stream is invalid or very short.",
    explanation: """
      retry takes milliseconds in digits alone; "3s" or "1.5" is ignored, and the client keeps its own 3 to 5 seconds. \
      A value near zero is obeyed: when the server restarts, all its clients reconnect together, and immediately \
      again.
      """,
    evidence: "The packet with the line.",
    fix: "Server: write retry: and milliseconds, a second or more, at best with some spread between clients.",
    specifications: [.eventStreamFormat], thresholds: [.shortRetry], since: "0.1")

  static var needs: ExchangeFacts { .remarkableEvents }

  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let events = exchange.eventResponse else { return }
    let response = events.message
    if let anomaly = events.stream.anomaly(.retryInvalid) {
      report(
        finding(
          exchange, response, context, "\(exchange.title): a retry is not digits alone, and clients ignore it.",
          Evidence(.packet(anomaly.packet, response.direction), excerpt: anomaly.excerpt, "not digits alone"),
          severity: .warning))
    } else if let milliseconds = events.stream.retryMilliseconds, let packet = events.stream.retryPacket,
      milliseconds < UInt64(max(0, context.thresholds[.shortRetry] / 1_000_000))
    {
      report(
        finding(
          exchange, response, context,
          "\(exchange.title): retry asks clients to reconnect after \(milliseconds) ms: after a restart all reconnect together.",
          Evidence(.packet(packet, response.direction), "retry: \(milliseconds)"), severity: .note))
    }
  }

  private static func finding(
    _ exchange: ExchangeRecord, _ response: Message, _ context: FlowContext, _ message: FindingMessage,
    _ evidence: Evidence, severity: Severity
  ) -> Finding {
    Finding(
      Self.info, severity: severity, subject: .connection(context.id), exchange: exchange.number,
      direction: response.direction, message, cost: .none,
      fix: info.fix,
      evidence: [evidence])
  }
}

extension Threshold {
  static let shortRetry = Threshold(
    "sse.short-retry", .nanoseconds, 500_000_000, "clients that come back sooner are a storm")
}

import Citation
import Events
import HTTPSemantics

/// A response that an Apple client would have kept from its app, and this one did not.
enum Apple512Latent: HeldBodyRule {
  static let info = RuleInfo(
    id: "sniff/apple-512-latent", severity: .note, confidence: .medium,
    summary: "An Apple client would hold this response back.",
    explanation: """
      This client is none of Apple's. URLSession would have waited for 512 bytes of the body before calling its app, \
      because of the type, so the same server works here and seems to hang on iOS and macOS.
      """,
    evidence: """
      The client, the response's type, and how long the body stayed below 512 bytes. The wait is what an Apple client \
      would have seen, not what this one saw. A body that comes at once, however small, does not count.
      """,
    fix: "Server: send the real type, or X-Content-Type-Options: nosniff.",
    specifications: Apple512Hold.info.specifications, thresholds: [.clientHold],
    causedBy: ["sniff/missing-content-type", "sniff/server-sniffed-type", "sniff/unknown-content-type"], since: "0.1",
    table: ClientHold.table)

  static func judge(_ held: HeldBody, in context: FlowContext, report: (Finding) -> Void) {
    guard held.hold.family == .apple, held.client?.family != .apple else { return }
    report(
      Finding(
        info, confidence: held.confidence(held.appleConfidence, context), subject: .connection(context.id),
        exchange: held.exchange.number, direction: held.response.direction, .latent(held, context), cost: .none,
        fix: info.fix,
        evidence: held.agent + [held.type] + held.course(context)))
  }
}

extension FindingMessage {
  fileprivate static func latent(_ held: HeldBody, _ context: FlowContext) -> Self {
    """
    An Apple client would report neither the response nor data of \(held.body) before its 512th byte; \
    \(held.outcome(context)).
    """
  }
}

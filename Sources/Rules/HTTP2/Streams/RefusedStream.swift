import Events
import HTTP2Semantics

/// A stream that was not taken.
enum RefusedStream: StreamEndRule {
  static let info = RuleInfo(
    id: "h2/refused-stream", severity: .warning,
    summary: "A server refused to take a request.",
    explanation: """
      REFUSED_STREAM says that nothing was done, so that the request may be repeated, whatever it is. Mostly the \
      client opened more streams than allowed, before it had read the server's SETTINGS.
      """,
    evidence: "The RST_STREAM.",
    fix: "Client: wait for SETTINGS, or repeat the request once.",
    specifications: [.reliability], since: "0.1")

  static func judge(_ end: StreamEnd, in context: FlowContext, report: (Finding) -> Void) {
    guard end.by == .toClient, end.code == .refusedStream, !end.isLate else { return }
    report(finding(end, context, "the server refused the stream", cost: .failed(.exchange)))
  }
}

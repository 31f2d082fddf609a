import Events
import HTTP2Semantics

/// A stream that was given up.
enum StreamReset: StreamEndRule {
  static let info = RuleInfo(
    id: "h2/stream-reset", severity: .error,
    summary: "A side gave up a stream before the response was over.",
    explanation: """
      The exchange failed, and what came of the response may not be used. INTERNAL_ERROR behind a silence of a round \
      length is a proxy's time limit; PROTOCOL_ERROR mostly answers a malformed head of the other side.
      """,
    evidence: """
      The RST_STREAM, and how long nothing of the response had come, where that is longer than any pause before.
      """,
    fix: "Look for the code in the log of the side that reset the stream.",
    specifications: [.resets, .errorCodes],
    causedBy: [
      "h2/frame-state", "h2/frame-after-end", "h2/content-length-mismatch", "h2/pseudo-missing", "h2/pseudo-unknown",
      "h2/pseudo-duplicate", "h2/connection-field", "h2/field-name-uppercase", "h2/field-invalid", "h2/window-exceeded",
      "stream/cut-at-known-timeout", "grpc/message-large", "proxy/read-timeout", "proxy/stream-dropped",
    ], since: "0.1")

  static func judge(_ end: StreamEnd, in context: FlowContext, report: (Finding) -> Void) {
    let isExpected =
      end.by == .toClient
      ? [.refusedStream, .http11Required].contains(end.code)
        || end.code == .noError && (end.exchange.response?.head != nil || end.exchange.isResponseMissing)
      : [.noError, .refusedStream, .cancel, .http11Required].contains(end.code)
    // The end of the response may be in what the capture lacks; who is told nothing more says STREAM_CLOSED.
    let isBehindHole =
      end.by == .toServer
      && (end.exchange.isResponseMissing || end.exchange.response?.incomplete?.cause == .gap)
    guard !end.isLate, !isExpected, !isBehindHole else { return }
    let got = end.exchange.response.map { " after \(Wording.bytes($0.bodyBytes))" } ?? ""
    let silence = end.by == .toClient ? end.exchange.response.flatMap { LastSilence($0, until: end.packet) } : nil
    var finding = finding(
      end, context, "\(Wording.sender(end.by)) reset the stream with \(end.code.name)\(got)\(silence?.words ?? "")",
      cost: .failed(.exchange))
    if let silence { finding.fix = silence.fix(isCall: end.exchange.isCall) }
    report(finding)
  }
}

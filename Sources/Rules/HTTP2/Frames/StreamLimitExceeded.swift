import Events
import HTTP2Semantics

/// One stream too many.
enum StreamLimitExceeded: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/stream-limit-exceeded", severity: .error,
    summary: "More streams were opened than the other side allows.",
    explanation: """
      The limit counts from its acknowledgement on. The stream is refused, or the connection given up.
      """,
    evidence: "The frame that opens the stream.",
    fix: "Client: wait until a stream ends, or open another connection.",
    specifications: [.concurrency], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.tooManyStreams]

  static func words(_ fault: HTTP2Fault) -> String {
    "opened stream \(fault.frame.stream), the \(fault.value). at a time; \(fault.limit) are allowed"
  }
}

import Events
import HTTP2Semantics

/// More behind the end.
enum FrameAfterEnd: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/frame-after-end", severity: .error,
    summary: "A side sent data or fields behind its own end of a stream.",
    explanation: """
      END_STREAM and RST_STREAM are the last that a side says on a stream. A receiver answers with STREAM_CLOSED. \
      What the other side had under way when it was reset is no fault.
      """,
    evidence: "The frame.",
    fix: "Sender: do not write to a stream after it was ended.",
    specifications: [.streamStates], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.afterEnd]

  static func words(_ fault: HTTP2Fault) -> String {
    "sent \(fault.frame.type.name) on stream \(fault.frame.stream) behind its own end of it"
  }
}

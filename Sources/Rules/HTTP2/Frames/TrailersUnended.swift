import Events
import HTTP2Semantics

/// Trailers that end nothing.
enum TrailersUnended: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/trailers-unended", severity: .error,
    summary: "Fields follow a head and do not end the message, or an interim response ends it.",
    explanation: """
      Fields behind a body are the last of a message and carry END_STREAM; an interim response never does. The \
      receiver takes the message for malformed and resets the stream.
      """,
    evidence: "The header block.",
    fix: "Sender: set END_STREAM on trailers, and on nothing before them.",
    specifications: [.messages2], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.trailersUnended]

  static func words(_ fault: HTTP2Fault) -> String {
    fault.frame.endsStream
      ? "ended stream \(fault.frame.stream) with an interim response"
      : "sent a second head on stream \(fault.frame.stream), without END_STREAM"
  }
}

import Events
import HTTP2Semantics

/// A frame of a stream without one, or one of the connection with one.
enum FrameStream: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/frame-stream", severity: .error,
    summary: "A frame is on stream 0 and must not be, or the other way round.",
    explanation: """
      Frames of messages belong to a stream, SETTINGS, PING and GOAWAY to the connection. A receiver gives the \
      connection up with PROTOCOL_ERROR.
      """,
    evidence: "The frame's header.",
    fix: "Sender: repair the library that writes frames.",
    specifications: [.frames], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.frameStream]

  static func words(_ fault: HTTP2Fault) -> String {
    fault.frame.stream == 0
      ? "sent \(fault.frame.type.name) on stream 0" : "sent \(fault.frame.type.name) on stream \(fault.frame.stream)"
  }
}

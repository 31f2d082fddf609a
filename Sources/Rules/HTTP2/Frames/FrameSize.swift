import Events
import HTTP2Semantics

/// A length that cannot be.
enum FrameSize: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/frame-size", severity: .error,
    summary: "A frame is longer than the receiver allows, or has a length that its type cannot have.",
    explanation: """
      A receiver answers with FRAME_SIZE_ERROR, mostly for the whole connection. Text where a frame should begin \
      looks like a very long frame of an unknown type: then something else than HTTP/2 has answered.
      """,
    evidence: "The nine bytes of the frame's header.",
    fix: """
      Sender: cut data into frames of at most the MAX_FRAME_SIZE that the other side announced, 16,384 bytes unless \
      it did.
      """,
    specifications: [.frameSize, .frames], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.frameTooLarge, .frameSize]

  static func words(_ fault: HTTP2Fault) -> String {
    let sent = "sent a \(fault.frame.type.name) frame of \(fault.frame.length) bytes"
    return fault.kind == .frameTooLarge
      ? "\(sent); the receiver allows \(fault.limit)" : "\(sent), which is not possible"
  }
}

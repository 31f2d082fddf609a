import Events
import HTTP2Semantics

/// A frame in the wrong place.
enum FrameState: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/frame-state", severity: .error,
    summary: "A frame came where none of its type may be.",
    explanation: """
      Data, resets and credit need a stream that is open, data needs the head of its message, and nothing may stand \
      between the frames of a header block. A receiver gives the connection up with PROTOCOL_ERROR. Where the server \
      does it, or a proxy, the two sides do not agree any more on which streams there are.
      """,
    evidence: "The frame.",
    fix: "Sender: open a stream with HEADERS before using it, and write a header block without other frames in it.",
    specifications: [.streamStates, .continuations], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.streamIdle, .dataBeforeHead, .continuationUnexpected, .blockInterrupted]

  static func words(_ fault: HTTP2Fault) -> String {
    let frame = "\(fault.frame.type.name) on stream \(fault.frame.stream)"
    return switch fault.kind {
    case .dataBeforeHead: "sent \(frame) before the head of its message"
    case .continuationUnexpected: "sent \(frame), and there is no header block that goes on"
    case .blockInterrupted: "sent \(frame) inside a header block"
    default: "sent \(frame), which is not open"
    }
  }
}

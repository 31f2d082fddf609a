import Events
import HTTP2Semantics

/// A frame type of no known extension.
enum FrameUnknown: WireFaultRule {
  static let info = RuleInfo(
    id: "h2/frame-unknown", severity: .note,
    summary: "A frame has a type that is not known.",
    explanation: """
      Receivers ignore it, and extensions are made so. Where neither side uses an extension, the bytes may not be what \
      they seem.
      """,
    evidence: "The frame's header.",
    fix: "Sender: use an extension only where the other side knows it.",
    specifications: [.extensions], since: "0.1")

  static let frames: Set<HTTP2Fault.Kind> = [.typeUnknown]

  static func words(_ fault: HTTP2Fault) -> String {
    "sent a frame of type \(fault.frame.type.rawValue) on stream \(fault.frame.stream)"
  }
}

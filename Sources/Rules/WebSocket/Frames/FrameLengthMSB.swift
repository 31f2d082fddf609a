import Citation
import Events
import WebSocketSemantics

/// A length that no frame has.
enum FrameLengthMSB: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-length-msb", severity: .error, summary: "A frame's length has its highest bit set.",
    explanation: """
      Lengths go up to 2^63 - 1. A negative number that was written as it stands, or bytes that are no frame, look like \
      this, and nothing behind it can be read any more.
      """,
    evidence: "The header of the frame.", fix: "Sender: find out where the length comes from.",
    specifications: [.webSocket("5.2")], since: "0.1")

  static let violationRank: Int? = 60

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.length >> 63 == 1 ? "a \(frame.name) frame that announces \(Wording.bytes(frame.length))" : nil
  }
}

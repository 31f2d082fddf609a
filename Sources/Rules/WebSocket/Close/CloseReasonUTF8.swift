import Citation
import Events
import WebSocketSemantics

/// A reason that is no text.
enum CloseReasonUTF8: FrameRule {
  static let info = RuleInfo(
    id: "ws/close-reason-utf8", severity: .error, summary: "The reason of a Close is not UTF-8.",
    explanation: """
      The reason is text. A receiver answers 1007 or 1002, and the reason is lost with it. A text that was cut to 123 \
      bytes in the middle of a character does this.
      """,
    evidence: "The frame; its reason is payload.",
    fix: "Sender: encode the reason as UTF-8, and cut at a character's end.",
    specifications: [.webSocket("5.5.1"), .webSocket("8.1")], since: "0.1")

  static let violationRank: Int? = 100

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    guard frame.opcode == .close, frame.isComplete, frame.length <= UInt64(Frame.controlLimit),
      String(validating: frame.closeReason, as: UTF8.self) == nil
    else { return nil }
    return "a Close whose reason is not UTF-8"
  }
}

import Citation
import Events
import WebSocketSemantics

/// An opcode without a meaning.
enum FrameReservedOpcode: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-reserved-opcode", severity: .error, summary: "A frame has an opcode that does not exist.",
    explanation: "3 to 7 and 11 to 15 are kept free. \(WebSocketTexts.closes).",
    evidence: "The first such frame: the lower half of its first byte.", fix: "Sender: use 0, 1, 2, 8, 9 and 10.",
    specifications: [.webSocket("5.2")], since: "0.1")

  static let violationRank: Int? = 40
  static let isOfFirstByte = true

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.opcode.isReserved && !terms.isExtended ? "a frame with the reserved \(frame.name)" : nil
  }
}

import Citation
import Events
import WebSocketSemantics

/// Half a code.
enum ClosePayload1Byte: FrameRule {
  static let info = RuleInfo(
    id: "ws/close-payload-1-byte", severity: .error, summary: "A Close has one byte of payload.",
    explanation: "A code takes two bytes. A Close has none, or two and more; a receiver answers 1002.",
    evidence: "The frame.", fix: "Sender: send no payload, or a code of two bytes.",
    specifications: [.webSocket("5.5.1")], since: "0.1")

  static let violationRank: Int? = 90

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.opcode == .close && frame.length == 1 ? "a Close with one byte" : nil
  }
}

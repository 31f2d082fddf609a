import Citation
import Events
import WebSocketSemantics

/// A frame with a mask that has none to have.
enum FrameMaskedServer: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-masked-server", severity: .error, summary: "A server sent a masked frame.",
    explanation:
      "Servers mask no frame. \(WebSocketTexts.closes), and browsers do. Code written for a client and used in a server does it.",
    evidence: "The first such frame: the highest bit of its second byte is 1.",
    fix: "Server: send frames without a mask.",
    specifications: [.webSocket("5.1")], since: "0.1")

  static let violationRank: Int? = 20

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    !terms.isClients && frame.isMasked ? "a masked \(frame.name) frame" : nil
  }
}

import Citation
import Events
import WebSocketSemantics

/// A frame without a mask.
enum FrameUnmaskedClient: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-unmasked-client", severity: .error, summary: "A client sent a frame without a mask.",
    explanation: """
      Clients mask every frame, so that no page can make a browser write bytes of its choice to a proxy. \
      \(WebSocketTexts.closes), and servers do.
      """,
    evidence: "The first such frame: the highest bit of its second byte is 0.",
    fix: "Client: mask every frame with a fresh random key.", specifications: [.webSocket("5.1"), .webSocket("5.3")],
    since: "0.1")

  static let violationRank: Int? = 10

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    terms.isClients && !frame.isMasked ? "a \(frame.name) frame without a mask" : nil
  }
}

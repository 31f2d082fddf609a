import Citation
import Events
import WebSocketSemantics

/// Bits without a meaning.
enum FrameRSV23: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-rsv23", severity: .error, summary: "A frame has RSV2 or RSV3 set.",
    explanation: """
      No extension in use gives these bits a meaning. \(WebSocketTexts.closes). Where they come with nonsense behind, the sender lost count \
      of its own bytes: a body behind the 101, two threads that write at once.
      """,
    evidence: "The first such frame.", fix: "Sender: set no reserved bit; write each frame in one piece.",
    specifications: [.webSocket("5.2")], since: "0.1")

  static let violationRank: Int? = 30
  static let isOfFirstByte = true

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    guard frame.reserved & 3 != 0, !terms.isExtended else { return nil }
    let bits = (frame.reserved & 2 != 0 ? ["RSV2"] : []) + (frame.reserved & 1 != 0 ? ["RSV3"] : [])
    return "a \(frame.name) frame with \(bits.joined(separator: " and "))"
  }
}

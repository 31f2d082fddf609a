import Citation
import Events
import WebSocketSemantics

/// A compressed frame where nothing was agreed.
enum FrameRSV1NotNegotiated: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-rsv1-not-negotiated", severity: .error,
    summary: "A frame is marked as compressed, and no compression was agreed.",
    explanation: """
      RSV1 has a meaning only where the 101 names permessage-deflate. A receiver has to end the connection with Close 1002. \
      A proxy that takes the extension out of the 101, and not out of the request, leaves a server that believes it was \
      agreed.
      """,
    evidence: "The first such frame. Without the handshake in the capture the rule is silent.",
    fix: "Sender: compress only what was agreed. Proxy: pass Sec-WebSocket-Extensions on both ways.",
    specifications: [.webSocket("5.2"), .deflate("6")], since: "0.1")

  static let violationRank: Int? = 110
  static let isOfFirstByte = true

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.hasRSV1 && !terms.mayCompress && !terms.isExtended
      ? "a \(frame.name) frame with RSV1, and no compression was agreed" : nil
  }
}

import Events
import WebSocketSemantics

/// RSV1, which says "compressed", where it cannot stand.
enum CompressionBits {
  static let rows: [FrameRule] = [notNegotiated, continuation, control]

  private static let notNegotiated = FrameRule(
    RuleInfo(
      id: "ws/frame-rsv1-not-negotiated", severity: .error,
      summary: "A frame is marked as compressed, and no compression was agreed.",
      explanation: """
        RSV1 has a meaning only where the 101 names permessage-deflate. A receiver has to end the connection with Close 1002. \
        A proxy that takes the extension out of the 101, and not out of the request, leaves a server that believes it was \
        agreed.
        """,
      evidence: "The first such frame. Without the handshake in the capture nothing is said.",
      fix: "Sender: compress only what was agreed. Proxy: pass Sec-WebSocket-Extensions on both ways.",
      specifications: [.webSocket("5.2"), .deflate("6")], since: "0.1"), isOfFirstByte: true
  ) { frame, terms in
    frame.hasRSV1 && !terms.mayCompress && !terms.isExtended
      ? "a \(frame.name) frame with RSV1, and no compression was agreed" : nil
  }

  private static let continuation = FrameRule(
    RuleInfo(
      id: "ws/pmd-rsv1-continuation", severity: .error, summary: "A continuation frame is marked as compressed.",
      explanation: """
        RSV1 stands on the first frame of a message and speaks for all of it. On a continuation a receiver has to end the \
        connection with Close 1002.
        """,
      evidence: "The first such frame.", fix: "Sender: set RSV1 on the first frame of a message only.",
      specifications: [.deflate("6")], since: "0.1"), isOfFirstByte: true
  ) { frame, terms in
    frame.hasRSV1 && terms.mayCompress && frame.opcode == .continuation ? "a continuation frame with RSV1" : nil
  }

  private static let control = FrameRule(
    RuleInfo(
      id: "ws/pmd-rsv1-control", severity: .error, summary: "A control frame is marked as compressed.",
      explanation: """
        Control frames are never compressed. On one with RSV1 a receiver has to end the connection with Close 1002.
        """,
      evidence: "The first such frame.", fix: "Sender: set RSV1 on messages only.", specifications: [.deflate("6")],
      since: "0.1"), isOfFirstByte: true
  ) { frame, terms in
    frame.hasRSV1 && terms.mayCompress && frame.opcode.isControl ? "a \(frame.name) frame with RSV1" : nil
  }
}

import Citation
import Events
import WebSocketSemantics

/// A compressed continuation.
enum PMDRSV1Continuation: FrameRule {
  static let info = RuleInfo(
    id: "ws/pmd-rsv1-continuation", severity: .error, summary: "A continuation frame is marked as compressed.",
    explanation: """
      RSV1 stands on the first frame of a message and speaks for all of it. On a continuation a receiver has to end the \
      connection with Close 1002.
      """,
    evidence: "The first such frame.", fix: "Sender: set RSV1 on the first frame of a message only.",
    specifications: [.deflate("6")], since: "0.1")

  static let violationRank: Int? = 120
  static let isOfFirstByte = true

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.hasRSV1 && terms.mayCompress && frame.opcode == .continuation ? "a continuation frame with RSV1" : nil
  }
}

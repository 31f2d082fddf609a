import Citation
import Events
import WebSocketSemantics

/// A compressed control frame.
enum PMDRSV1Control: FrameRule {
  static let info = RuleInfo(
    id: "ws/pmd-rsv1-control", severity: .error, summary: "A control frame is marked as compressed.",
    explanation: """
      Control frames are never compressed. On one with RSV1 a receiver has to end the connection with Close 1002.
      """,
    evidence: "The first such frame.", fix: "Sender: set RSV1 on messages only.", specifications: [.deflate("6")],
    since: "0.1")

  static let violationRank: Int? = 130
  static let isOfFirstByte = true

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.hasRSV1 && terms.mayCompress && frame.opcode.isControl ? "a \(frame.name) frame with RSV1" : nil
  }
}

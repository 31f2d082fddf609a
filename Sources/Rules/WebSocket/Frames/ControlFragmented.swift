import Citation
import Events
import WebSocketSemantics

/// A control frame that is not final.
enum ControlFragmented: FrameRule {
  static let info = RuleInfo(
    id: "ws/control-fragmented", severity: .error, summary: "A control frame is not final.",
    explanation: """
      Close, ping and pong come in one frame each, because they stand between the fragments of messages. A receiver has to \
      end the connection with Close 1002.
      """,
    evidence: "The first such frame: the highest bit of its first byte is 0.",
    fix: "Sender: set FIN on control frames.",
    specifications: [.webSocket("5.4"), .webSocket("5.5")], since: "0.1")

  static let violationRank: Int? = 70
  static let isOfFirstByte = true

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.opcode.isControl && !frame.isFinal ? "a \(frame.name) frame that is not final" : nil
  }
}

import Citation
import Events
import WebSocketSemantics

/// A control frame that is too long.
enum ControlTooLong: FrameRule {
  static let info = RuleInfo(
    id: "ws/control-too-long", severity: .error, summary: "A control frame is longer than 125 bytes.",
    explanation: """
      Control frames are answered at once, and must not need memory. A receiver has to end the connection with Close 1002. \
      Close reasons made of exception texts are the usual case.
      """,
    evidence: "The first such frame, with its length.",
    fix: "Sender: cut what it writes into control frames to 125 bytes, a close reason to 123, at a character's end.",
    specifications: [.webSocket("5.5")], since: "0.1")

  static let violationRank: Int? = 80

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    frame.opcode.isControl && frame.length > 125 ? "a \(frame.name) frame of \(Wording.bytes(frame.length))" : nil
  }
}

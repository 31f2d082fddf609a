import Citation
import Events
import WebSocketSemantics

/// An empty fragment.
enum FragmentZeroLength: FrameRule {
  static let info = RuleInfo(
    id: "ws/fragment-zero-length", severity: .note, summary: "A fragment that is not the last has no payload.",
    explanation: """
      It is legal, and means nothing. Some receivers take an empty read for the end. Streams that write whatever is \
      there, also when nothing is, make such fragments.
      """,
    evidence: "The first such frame.", fix: "Sender: send a fragment when there is something in it.",
    specifications: [.webSocket("5.4")], since: "0.1")

  static let violationRank: Int? = nil

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    !frame.opcode.isControl && !frame.isFinal && frame.length == 0 && frame.headerReleased != nil
      ? "a fragment without payload" : nil
  }
}

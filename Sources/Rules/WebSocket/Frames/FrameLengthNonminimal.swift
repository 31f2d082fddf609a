import Citation
import Events
import WebSocketSemantics

/// A length in too many bytes.
enum FrameLengthNonminimal: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-length-nonminimal", severity: .error,
    summary: "A frame's length is written in more bytes than it needs.",
    explanation: """
      Up to 125 the length stands in seven bits, up to 65,535 in two bytes more. Another form is not allowed, and strict \
      receivers end the connection with Close 1002; most do not look.
      """,
    evidence: "The first such frame.", fix: "Sender: write the length in the shortest form.",
    specifications: [.webSocket("5.2")], since: "0.1")

  static let violationRank: Int? = 50

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    switch frame.lengthForm {
    case .short: return nil
    case .extended16 where frame.length > 125: return nil
    case .extended64 where frame.length > 65_535: return nil
    default:
      return
        "a \(frame.name) frame whose length of \(Wording.bytes(frame.length)) takes \(frame.lengthForm == .extended16 ? 2 : 8) bytes more"
    }
  }
}

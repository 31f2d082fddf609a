import Citation
import Events
import WebSocketSemantics

/// A very large frame.
enum FrameHuge: FrameRule {
  static let info = RuleInfo(
    id: "ws/frame-huge", severity: .note, summary: "A single frame is larger than one mebibyte.",
    explanation: """
      Nothing may stand inside a frame: pings, pongs and a Close have to wait until it is over, and a keep-alive times \
      out in the meantime. Receivers that do not stream hold it in memory, and many have a limit (1 MiB is usual), \
      after which they answer Close 1009.
      """,
    evidence: "The first such frame, with the length it announces.",
    fix: "Sender: send large messages in fragments of some 64 KiB.",
    specifications: [.webSocket("5.4"), .webSocket("10.4")],
    since: "0.1")

  static let violationRank: Int? = nil

  static func find(in frame: Frame, _ terms: FrameTerms) -> String? {
    guard frame.length > 1 << 20, frame.length >> 63 == 0 else { return nil }
    let seen = frame.isComplete ? "" : ", of which \(Wording.bytes(frame.received)) came"
    return "a \(frame.name) frame of \(Wording.bytes(frame.length))\(seen)"
  }
}

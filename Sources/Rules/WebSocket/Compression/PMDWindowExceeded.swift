import Citation
import Events
import WebSocketSemantics

/// A reference beyond the window.
enum PMDWindowExceeded: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/pmd-window-exceeded", severity: .error,
    summary: "A compressed message reaches back further than was agreed.",
    explanation: """
      max_window_bits says how much of what was sent before the receiver keeps. A reference to something older cannot be \
      followed, by a receiver that keeps no more than it must; others read on, so that it works with some clients only.
      """,
    evidence: "The packet with the reference.", fix: "Sender: set the compressor's window bits to what was agreed.",
    specifications: [.deflate("7.1.2")], since: "0.1")

  static let violationRank: Int? = 30

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    guard case .tooFar(let distance, let limit, false, let packet) = message.inflation else { return nil }
    return SocketMessageFault(
      "\(message.title), which reaches \(Wording.bytes(distance)) back, where \(Wording.bytes(limit)) are allowed",
      packet)
  }
}

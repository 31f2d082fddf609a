import Citation
import Events
import WebSocketSemantics

/// A reference beyond the message.
enum PMDTakeoverViolation: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/pmd-takeover-violation", severity: .error,
    summary: "A compressed message refers to the one before, which the receiver no longer keeps.",
    explanation: """
      With no_context_takeover each message begins with an empty window. A sender that keeps its compressor sends \
      references into messages that the receiver has dropped: the first message can be read, and a later one ends the \
      connection.
      """,
    evidence: "The packet with the reference.",
    fix: "Sender: reset the compressor after each message, or do not agree to no_context_takeover.",
    specifications: [.deflate("7.1.1")], since: "0.1")

  static let violationRank: Int? = 40

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    guard case .tooFar(let distance, _, true, let packet) = message.inflation else { return nil }
    return SocketMessageFault(
      "\(message.title), which reaches \(Wording.bytes(distance)) back, before its own beginning", packet)
  }
}

import Citation
import Events
import WebSocketSemantics

/// A final block.
enum PMDBFinal: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/pmd-bfinal", severity: .note, summary: "A compressed message has a final block.",
    explanation: """
      A block marked as the last of its stream is legal in a message, and the next one begins with an empty window. \
      Some receivers take it for the end of everything, and drop what follows.
      """,
    evidence: "The end of the first such message.", fix: "Sender: flush (sync) instead of finishing the stream.",
    specifications: [.deflate("7.2.3.4")], since: "0.1")

  static let violationRank: Int? = nil

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    guard message.finalBlocks > 0 else { return nil }
    return SocketMessageFault(
      "\(message.title), which has \(Wording.count(message.finalBlocks, "final block"))", message.released)
  }
}

import Citation
import Events
import WebSocketSemantics

/// A message that cannot be inflated.
enum PMDInflateError: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/pmd-inflate-error", severity: .error, summary: "A compressed message cannot be inflated.",
    explanation: """
      The bytes are no DEFLATE stream, or one that needs what the receiver does not have. The receiver ends the connection, \
      and everything after it would be unreadable. Compressors shared by two connections or two threads, a message that \
      was dropped after it was compressed, and proxies that change frames do this.
      """,
    evidence: "The packet with the bytes that make no sense.",
    fix: "Sender: one compressor for each connection, used in the order in which messages are sent.",
    specifications: [.deflate("7.2.2")], since: "0.1")

  static let violationRank: Int? = 20

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    guard case .failed(let reason, let packet) = message.inflation, !message.hasTail else {
      return nil
    }
    return SocketMessageFault("\(message.title), which cannot be inflated: \(reason)", packet)
  }
}

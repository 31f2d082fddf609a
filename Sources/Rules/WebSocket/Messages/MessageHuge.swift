import Citation
import Events
import WebSocketSemantics

/// A very large message.
enum MessageHuge: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/message-huge", severity: .note, summary: "A message is larger than 16 MiB.",
    explanation: """
      Most APIs hand a message over when it is whole, so that all of it is in memory, at both ends. Common limits are 1 MiB \
      to 16 MiB; the answer is Close 1009.
      """,
    evidence: "The end of the message.", fix: "Sender: cut what is large into messages, and number them.",
    specifications: [.webSocket("10.4")], since: "0.1")

  static let violationRank: Int? = nil

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    guard message.bytes > WebSocketMessage.hugeSize else { return nil }
    return SocketMessageFault("\(message.title), which has \(Wording.bytes(message.bytes))", message.released)
  }
}

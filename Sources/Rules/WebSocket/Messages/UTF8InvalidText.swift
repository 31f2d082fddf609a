import Citation
import Events
import WebSocketSemantics

/// Text that is none.
enum UTF8InvalidText: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/utf8-invalid-text", severity: .error, summary: "A text message is not UTF-8.",
    explanation: """
      Text is UTF-8, and a receiver has to end the connection with Close 1007 at the first byte that cannot be; browsers \
      send 1002. Latin-1, binary data sent as text, strings cut inside a character, and halves of surrogate pairs do \
      this. Characters that stand for nothing yet are fine.
      """,
    evidence:
      "The packet with the first byte that cannot stand where it is, and bytes before and after where they were kept.",
    fix: "Sender: encode text as UTF-8, and send what is no text as binary.",
    specifications: [.webSocket("5.6"), .webSocket("8.1")], since: "0.1")

  static let violationRank: Int? = 10

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    guard let fault = message.utf8 else { return nil }
    let at = Int(clamping: fault.offset)
    let around = message.opening.indices.contains(at) ? Array(message.opening[at...].prefix(8)) : []
    return SocketMessageFault(
      "\(message.title), which is not UTF-8 at byte \(Wording.number(fault.offset))", fault.packet,
      around.isEmpty ? nil : Excerpt(around.span, isPayload: true))
  }
}

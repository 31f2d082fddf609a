import Citation
import Events
import WebSocketSemantics

/// Messages as applications get them.
enum MessageFaults {
  static let text = SocketMessageRow(
    RuleInfo(
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
  ) { message, _ in
    guard let fault = message.utf8 else { return nil }
    let at = Int(clamping: fault.offset)
    let around = message.opening.indices.contains(at) ? Array(message.opening[at...].prefix(8)) : []
    return SocketMessageRow.Fault(
      "\(message.title), which is not UTF-8 at byte \(Wording.number(fault.offset))", fault.packet,
      around.isEmpty ? nil : Excerpt(around.span, isPayload: true))
  }

  /// Common limits are far below.
  static let large: UInt64 = 16 << 20

  static let huge = SocketMessageRow(
    RuleInfo(
      id: "ws/message-huge", severity: .note, summary: "A message is larger than 16 MiB.",
      explanation: """
        Most APIs hand a message over when it is whole, so that all of it is in memory, at both ends. Common limits are 1 MiB \
        to 16 MiB; the answer is Close 1009.
        """,
      evidence: "The end of the message.", fix: "Sender: cut what is large into messages, and number them.",
      specifications: [.webSocket("10.4")], since: "0.1"), isViolation: false
  ) { message, _ in
    guard message.bytes > large else { return nil }
    return SocketMessageRow.Fault("\(message.title), which has \(Wording.bytes(message.bytes))", message.released)
  }
}

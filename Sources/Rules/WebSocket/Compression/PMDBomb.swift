import Citation
import Events
import WebSocketSemantics

/// A message that grows beyond measure.
enum PMDBomb: SocketMessageRule {
  static let info = RuleInfo(
    id: "ws/pmd-bomb", severity: .warning, summary: "A compressed message becomes very much larger.",
    explanation: """
      More than a hundred bytes come out of each one. Eight kilobytes can become eight megabytes in the receiver's memory, \
      before its limit for messages is asked, if it has one.
      """,
    evidence: "The end of the first such message.",
    fix: "Receiver: limit what comes out of a message while it is inflated, and answer 1009.",
    specifications: [.deflate("8")], since: "0.1")

  static let violationRank: Int? = nil

  static func find(in message: WebSocketMessage) -> SocketMessageFault? {
    if case .stopped(let ratio, let packet) = message.inflation {
      return SocketMessageFault(
        "\(message.title), of which each byte becomes \(Wording.number(ratio)) or more", packet)
    }
    guard case .inflated = message.inflation, message.bytes > 1 << 20, message.wireBytes > 0,
      message.bytes / message.wireBytes > 100
    else { return nil }
    return SocketMessageFault(
      "\(message.title), of which \(Wording.bytes(message.wireBytes)) become \(Wording.bytes(message.bytes))",
      message.released)
  }
}

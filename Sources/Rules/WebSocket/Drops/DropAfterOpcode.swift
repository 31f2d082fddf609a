import Events

/// A server that knows text only.
enum DropAfterOpcode: DropRule {
  static let info = RuleInfo(
    id: "ws/drop-after-opcode", severity: .error, confidence: .medium,
    summary: "The server closed the connection after a binary message or a pong.",
    explanation: """
      Text is not the only type: binary messages and unsolicited pongs are legal. A server that knows text only ends \
      each connection at the first. \(DropRow.unnoticed)
      """,
    evidence: DropRow.evidence, fix: "Server: take binary messages, or refuse them with Close 1003; read over pongs.",
    specifications: DropRow.specifications, thresholds: [.dropAfter], since: "0.1")

  static let row = DropRow(.opcode, "a binary message or a pong", namesOpcode: true)
}

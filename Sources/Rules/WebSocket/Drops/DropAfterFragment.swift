import Events

/// A server that does not know continuations.
enum DropAfterFragment: DropRule {
  static let info = RuleInfo(
    id: "ws/drop-after-fragment", severity: .error, confidence: .medium,
    summary: "The server closed the connection after a message in fragments.",
    explanation: """
      Clients may cut any message into fragments, and browsers do with large ones. Pings may stand between them. A server \
      that does not know continuations, or not behind a ping, ends each connection at the first. \(DropRow.unnoticed)
      """,
    evidence: DropRow.evidence, fix: "Server: join fragments until FIN is set, and take control frames between them.",
    specifications: DropRow.specifications, thresholds: [.dropAfter], since: "0.1")

  static let row = DropRow(.fragment, "a message in fragments", namesOpcode: true)
}

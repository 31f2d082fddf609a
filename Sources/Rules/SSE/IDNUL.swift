import Events

/// An id that counts as not sent.
enum IDNUL: EventLineRule {
  static let info = RuleInfo(
    id: "sse/id-nul", severity: .warning,
    summary: "An event's id holds a NUL and is ignored.",
    explanation: """
      An id with U+0000 in it counts as not sent: after a lost connection the client asks for what came after the id \
      before, and events come twice, or it names none.
      """,
    evidence: "The packet with the first such line.", fix: "Server: write ids without NUL.",
    specifications: [.eventStreamFormat], since: "0.1")

  static let row = EventLineRow(
    kind: .idNUL, note: "a NUL in the id", noun: "id", what: "with a NUL in it", losesPayload: false)
}

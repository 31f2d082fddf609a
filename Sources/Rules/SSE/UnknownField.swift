import Events

/// A field that no receiver knows.
enum UnknownField: EventLineRule {
  static let info = RuleInfo(
    id: "sse/unknown-field", severity: .note,
    summary: "An event stream has fields that receivers ignore.",
    explanation: """
      There are four: data, event, id and retry, in lower case and with nothing between name and colon. "Data:" or "data :" \
      is another field, and its line is dropped.
      """,
    evidence: "The packet with the first such line.",
    fix: "Server: use data, event, id and retry, in lower case.", specifications: [.eventStreamFormat], since: "0.1")

  static let row = EventLineRow(
    kind: .unknownField, note: "none of data, event, id and retry", noun: "field",
    what: "beside data, event, id and retry",
    losesPayload: false)
}

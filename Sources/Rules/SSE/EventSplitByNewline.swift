import Events

/// Text with line feeds behind one `data:`.
enum EventSplitByNewline: EventLineRule {
  static let info = RuleInfo(
    id: "sse/event-split-by-newline", severity: .warning,
    summary: "An event's data has lines without the field's name.",
    explanation: """
      Each line of data needs its own "data:". Text with line feeds, such as indented JSON, that is written behind one \
      "data:" arrives as its first line only: the rest are fields of unknown names, which receivers drop. The event \
      is delivered, and its JSON does not parse.
      """,
    evidence: """
      The packet with the first such line. It stands behind a line of data and before the empty line, and begins with \
      none of data, event, id and retry; a private field there would look the same.
      """,
    fix: "Server: write data: in front of every line, or write JSON on one line.",
    specifications: [.eventStreamFormat], since: "0.1")

  static let row = EventLineRow(
    kind: .strayLine, note: "a line without data:, inside an event", noun: "line",
    what: "of an event's data without data: in front",
    losesPayload: true)
}

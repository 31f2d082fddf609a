import Events

/// A byte order mark that is a part of a line.
enum ExtraBOM: EventLineRule {
  static let info = RuleInfo(
    id: "sse/extra-bom", severity: .warning,
    summary: "A byte order mark stands inside an event stream.",
    explanation: """
      One mark at the very beginning is skipped. Any other becomes a part of the field's name, which then is none: the \
      line is dropped, mostly the first line of an event. It comes from writers that prefix everything they write with \
      a mark, one for each event (.NET's Encoding.UTF8 with a new StreamWriter is known for it), and no editor shows \
      it.
      """,
    evidence: "The packet with the first such line; it begins with the bytes EF BB BF.",
    fix: "Server: write UTF-8 without a byte order mark (.NET: new UTF8Encoding(false)).",
    specifications: [.eventStreamFormat], since: "0.1")

  static let row = EventLineRow(
    kind: .byteOrderMark, note: "EF BB BF at the beginning of a line", noun: "line", what: "with EF BB BF in front",
    losesPayload: true)
}

import Citation
import Events
import HTTPSemantics

/// What receivers of events ignore without a word, a row each.
struct EventAnomalies: Sendable {
  struct Row: Sendable {
    let info: RuleInfo
    let kind: ItemRecord.Anomaly.Kind
    /// What stands there.
    let note: String
    /// `line`
    let noun: String
    /// What is the matter, behind the noun.
    let what: String
    /// It is a part of what was meant to be read.
    let losesPayload: Bool
  }

  static let rows: [Row] = [byteOrderMark, strayLine, unknownField, idNUL]

  private static let byteOrderMark = Row(
    info: RuleInfo(
      id: "sse/extra-bom", severity: .warning,
      summary: "A byte order mark stands inside an event stream.",
      explanation: """
        One mark at the very beginning is skipped. Any other becomes a part of the field's name, which then is none: the \
        line is dropped, mostly the first line of an event. It comes from writers that put a mark in front of all they \
        write, one for each event (.NET's Encoding.UTF8 with a new StreamWriter is known for it), and no editor shows it.
        """,
      evidence: "The packet with the first such line; it begins with the bytes EF BB BF.",
      fix: "Server: write UTF-8 without a byte order mark (.NET: new UTF8Encoding(false)).",
      specifications: [.eventStreamFormat], since: "0.1"),
    kind: .byteOrderMark, note: "EF BB BF at the beginning of a line", noun: "line", what: "with EF BB BF in front",
    losesPayload: true)

  private static let strayLine = Row(
    info: RuleInfo(
      id: "sse/event-split-by-newline", severity: .warning,
      summary: "An event's data has lines without the field's name.",
      explanation: """
        Each line of data needs its own "data:". Text with line feeds, such as indented JSON, that is written behind one \
        "data:" arrives as its first line only: the rest are fields of unknown names, which receivers drop. The event \
        is delivered, and its JSON does not parse.
        """,
      evidence: """
        The packet with the first such line. It stands behind a line of data and before the empty line, and begins with none \
        of data, event, id and retry; a field of one's own there would look the same.
        """,
      fix: "Server: put data: in front of every line, or write JSON on one line.",
      specifications: [.eventStreamFormat], since: "0.1"),
    kind: .strayLine, note: "a line without data:, inside an event", noun: "line",
    what: "of an event's data without data: in front",
    losesPayload: true)

  private static let unknownField = Row(
    info: RuleInfo(
      id: "sse/unknown-field", severity: .note,
      summary: "An event stream has fields that receivers ignore.",
      explanation: """
        There are four: data, event, id and retry, in lower case and with nothing between name and colon. "Data:" or "data :" \
        is another field, and its line is dropped.
        """,
      evidence: "The packet with the first such line.",
      fix: "Server: use data, event, id and retry, in lower case.", specifications: [.eventStreamFormat], since: "0.1"),
    kind: .unknownField, note: "none of data, event, id and retry", noun: "field",
    what: "beside data, event, id and retry",
    losesPayload: false)

  private static let idNUL = Row(
    info: RuleInfo(
      id: "sse/id-nul", severity: .warning,
      summary: "An event's id holds a NUL and is ignored.",
      explanation: """
        An id with U+0000 in it counts as not sent: after a lost connection the client asks for what came after the id \
        before, and events come twice, or it names none.
        """,
      evidence: "The packet with the first such line.", fix: "Server: write ids without NUL.",
      specifications: [.eventStreamFormat], since: "0.1"),
    kind: .idNUL, note: "a NUL in the id", noun: "id", what: "with a NUL in it", losesPayload: false)

  func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard let (response, stream) = exchange.eventResponse, !stream.anomalies.isEmpty else { return }
    for row in Self.rows {
      guard let anomaly = stream.anomaly(row.kind) else { continue }
      var finding = Finding(
        row.info, confidence: response.isWhollyCaptured ? .high : .low, subject: .connection(context.id),
        exchange: exchange.number, direction: response.direction,
        "\(exchange.title): \(Wording.count(anomaly.count, row.noun)) \(row.what): receivers ignore what \(anomaly.count == 1 ? "it says" : "they say").",
        cost: row.losesPayload ? .lost(bytes: anomaly.bytes) : .none, fix: row.info.fix,
        evidence: [
          Evidence(.packet(anomaly.packet, response.direction), excerpt: anomaly.excerpt, row.note)
        ])
      finding.count = anomaly.count
      report(finding)
    }
  }
}

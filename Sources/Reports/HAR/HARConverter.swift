import Citation
import Events

/// HTTP Archive 1.2 in the shape that Chrome writes, so that its network panel shows a capture: requests with their
/// timings, WebSocket messages and events of event streams. What the format has no place for stands under
/// `_streamscope`; fields that begin so are the writer's own.
///
/// Bodies are never included: no document holds them.
enum HARConverter: DocumentConverter {
  static func write(
    _ documents: [DocumentNode], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    let captures = documents.enumerated().map { HARCapture($1, number: documents.count > 1 ? $0 + 1 : nil) }
    var entries = captures.flatMap(\.entries)
    // Those of one moment stay in the order of their connections.
    let order = entries.indices.sorted { (entries[$0].start, $0) < (entries[$1].start, $1) }
    entries = order.map { entries[$0] }
    var json = JSONWriter(.indented)
    json.beginObject()
    json.key("log")
    json.beginObject()
    json.field("version", "1.2")
    json.object("creator") { json in
      json.field("name", "streamscope")
      json.field("version", context.version)
    }
    json.array("pages") { _ in }
    json.key("entries")
    json.beginArray()
    for entry in entries {
      json.object { entry.write(to: &$0) }
      try output.write(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
    }
    json.endArray()
    json.field("comment", HARComment.text(captures))
    json.object("_streamscope") { json in
      json.array("captures") { list in
        for capture in captures { list.object { capture.write(to: &$0) } }
      }
    }
    json.endObject()
    json.endObject()
    json.endLine()
    try output.write(json.bytes)
  }

  static func missing(in document: DocumentNode) -> [String] {
    guard document.elements("connections").contains(where: DocumentItems.areWanted) else { return [] }
    return ["the document holds no items: the HAR lacks WebSocket messages, events and chunks"]
  }
}

/// One document on its way into the archive.
struct HARCapture {
  let document: DocumentNode
  let clock: DocumentClock
  let isRedacted: Bool
  let entries: [HAREntry]
  /// Those of no exchange.
  private let findings: [DocumentNode]
  /// Items without a preview, and items that the document left out.
  let silentItems: Int
  let itemsCut: Int64

  /// `number` distinguishes the connections of several captures.
  init(_ document: DocumentNode, number: Int?) {
    self.document = document
    let clock = DocumentClock(document)
    self.clock = clock
    // Cookies are parsed only if the document states that it is not redacted.
    let isRedacted = document["redaction"]?.text("mode") != "none"
    self.isRedacted = isRedacted
    struct Key: Hashable { var connection, exchange: Int64 }
    var findings: [Key: [DocumentNode]] = [:]
    for finding in document.elements("findings") {
      let key = Key(connection: finding.integer("connection") ?? 0, exchange: finding.integer("exchange") ?? 0)
      findings[key, default: []].append(finding)
    }
    var entries: [HAREntry] = []
    var silentItems = 0
    var itemsCut: Int64 = 0
    for node in document.elements("connections") {
      let connection = HARConnection(node, number: number, isRedacted: isRedacted)
      itemsCut = itemsCut.addingReportingOverflow(connection.itemsCut).partialValue
      var exchanges = node.elements("exchanges")
      // A WebSocket whose handshake was before the capture has no exchange, but has messages.
      if exchanges.isEmpty, node["websocket"] != nil { exchanges = [.object([])] }
      let phases = ExchangePhases.all(exchanges, of: node)
      for (exchange, phases) in zip(exchanges, phases) {
        let key = Key(connection: node.integer("id") ?? 0, exchange: exchange.integer("id") ?? 0)
        let entry = HAREntry(
          connection, exchange, phases, findings: key.exchange == 0 ? [] : findings[key] ?? [], clock)
        silentItems += entry.silentItems
        entries.append(entry)
        if key.exchange != 0 { findings[key] = nil }
      }
    }
    self.entries = entries
    self.silentItems = silentItems
    self.itemsCut = itemsCut
    self.findings = document.elements("findings").filter { finding in
      let key = Key(connection: finding.integer("connection") ?? 0, exchange: finding.integer("exchange") ?? 0)
      return findings[key] != nil
    }
  }

  fileprivate func write(to json: inout JSONWriter) {
    if let capture = document["capture"] { json.field("capture", capture) }
    if let redaction = document["redaction"] { json.field("redaction", redaction) }
    if let summary = document["summary"] { json.field("summary", summary) }
    for key in ["connectionsCut", "exchangesCut", "findingsCut"] {
      if let count = document.integer(key) { json.field(FieldName(key), count) }
    }
    guard !findings.isEmpty else { return }
    json.array("findings") { list in
      for finding in findings { list.object { HARExtras.finding(finding, to: &$0) } }
    }
  }
}

import Citation
import Events

/// HTTP Archive 1.2 in the shape that Chrome writes, so that its network panel shows a capture: requests with their
/// timings, WebSocket messages and events of event streams. What the format has no place for stands under
/// `_streamscope`; fields that begin so are the writer's own.
///
/// Bodies are never included: no document holds them.
enum HARConverter: ConnectionwiseConverter {
  static func write(
    _ readings: inout [DocumentReading], _ context: ConversionContext, to output: inout some ByteSink
  ) throws(ReportError) {
    // Those of one moment stay in the order of their connections.
    var entries = TimedValues(depth: 3)
    var captures: [HARCapture] = []
    for index in readings.indices {
      captures.append(HARCapture(&readings[index], number: readings.count > 1 ? index + 1 : nil, into: &entries))
    }
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
    try entries.write(to: &json, &output)
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

/// One document on its way into the archive: what is told of it beside its entries.
struct HARCapture {
  /// It may be there without its connections: they were read.
  let document: DocumentNode
  let clock: DocumentClock
  let isRedacted: Bool
  private(set) var entries = 0
  /// Those of no exchange.
  private var findings: [DocumentNode] = []
  /// Items without a preview, and items that the document left out.
  private(set) var silentItems = 0
  private(set) var itemsCut: Int64 = 0
  /// It counts items that it does not list.
  private(set) var lacksItems = false
  private(set) var encrypted = 0

  private struct Key: Hashable {
    var connection, exchange: Int64

    init(_ finding: DocumentNode) {
      connection = finding.integer("connection") ?? 0
      exchange = finding.integer("exchange") ?? 0
    }

    init(_ connection: DocumentNode, _ exchange: DocumentNode) {
      self.connection = connection.integer("id") ?? 0
      self.exchange = exchange.integer("id") ?? 0
    }
  }

  /// `number` distinguishes the connections of several captures.
  init(_ reading: inout DocumentReading, number: Int?, into entries: inout TimedValues) {
    let document = reading.frame
    self.document = document
    clock = DocumentClock(document)
    // Cookies are parsed only if the document states that it is not redacted.
    isRedacted = document["redaction"]?.text("mode") != "none"
    var findings: [Key: [DocumentNode]] = [:]
    for finding in document.elements("findings") { findings[Key(finding), default: []].append(finding) }
    reading.connections { add($0, number, &findings, into: &entries) }
    self.findings = document.elements("findings").filter { findings[Key($0)] != nil }
  }

  /// Writes the entries of a connection, and takes their findings out of the others.
  private mutating func add(
    _ node: DocumentNode, _ number: Int?, _ findings: inout [Key: [DocumentNode]], into entries: inout TimedValues
  ) {
    let connection = HARConnection(node, number: number, isRedacted: isRedacted)
    itemsCut = itemsCut.addingReportingOverflow(connection.itemsCut).partialValue
    if DocumentItems.areWanted(by: node) { lacksItems = true }
    if node["tls"] != nil, node["exchanges"] == nil { encrypted += 1 }
    var exchanges = node.elements("exchanges")
    // A WebSocket whose handshake was before the capture has no exchange, but has messages.
    if exchanges.isEmpty, node["websocket"] != nil { exchanges = [.object([])] }
    let phases = ExchangePhases.all(exchanges, of: node)
    for (exchange, phases) in zip(exchanges, phases) {
      let key = Key(node, exchange)
      let entry = HAREntry(
        connection, exchange, phases, findings: key.exchange == 0 ? [] : findings[key] ?? [], clock)
      silentItems += entry.silentItems
      self.entries += 1
      entries.add(at: entry.start.nanoseconds) { json in json.object { entry.write(to: &$0) } }
      if key.exchange != 0 { findings[key] = nil }
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

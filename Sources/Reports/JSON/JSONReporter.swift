import Citation
import Digests
import Events

/// One `streamscope.result/1` document, written at the end from bounded stores.
package struct JSONReporter: Reporter {
  private static let connectionLimit = 10_000
  private static let exchangeLimit = 10_000
  private static let findingsPerRule = 1_000

  /// Connections that are written at a time, where several threads may: so many, or so much text, roughly.
  private static let together = 32
  private static let textTogether = 1 << 20

  private let redaction: Redaction
  /// Writes several texts at once, each by its number; nil where one is written after the other.
  private let sideBySide: Writing?
  private var run: RunInfo?
  private var connections: [ConnectionRecord] = []
  private var connectionsCut: UInt64 = 0
  /// By the connection's number: they come before its record.
  private var exchanges: [Int: [ExchangeRecord]] = [:]
  private var exchangesKept = 0
  private var exchangeBytes = 0
  private var exchangesCut: UInt64 = 0
  /// By the connection's number, until there are as many as may be.
  private var items: [Int: ItemColumns] = [:]
  private var bounds: DocumentBounds
  private var itemsKept = 0
  private var previewBytes = 0
  private var measurements = Measurements()
  private var findings: [Finding] = []
  private var findingsOfRule: [RuleID: Int] = [:]
  private var findingsCut: UInt64 = 0

  package typealias Writing = @Sendable (_ count: Int, _ text: @Sendable (Int) -> [UInt8]) -> [[UInt8]]

  package init(_ redaction: Redaction, _ bounds: DocumentBounds = DocumentBounds(), sideBySide: Writing? = nil) {
    self.redaction = redaction
    self.bounds = bounds
    self.sideBySide = sideBySide
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) { begin(run) }
  package mutating func begin(_ run: RunInfo) { self.run = run }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) { keep(item) }

  /// Nothing is written before the end.
  package mutating func keep(_ item: ReportItem) {
    switch item {
    case .exchange(let exchange):
      let connection = exchange.key.connection
      measurements.add(exchange)
      guard exchangesKept < Self.exchangeLimit, exchangeBytes < bounds.memory.exchanges, hasRoom(for: connection) else {
        exchangesCut += 1
        return
      }
      exchangesKept += 1
      exchangeBytes += exchange.heldBytes
      exchanges[connection, default: []].append(exchange)
    case .piece(let piece): take(piece.value)
    case .loss, .stall: break
    case .connection(var record):
      measurements.add(record)
      // By number, not by order of arrival: which ones are kept is what a reader would expect.
      if hasRoom(for: record.number), connections.count < Self.connectionLimit {
        bounds.fit(&record)
        connections.append(record)
      } else {
        connectionsCut += 1
        exchangesCut += UInt64(exchanges.removeValue(forKey: record.number)?.count ?? 0)
      }
    case .finding(let finding):
      measurements.add(finding)
      let seen = findingsOfRule[finding.rule, default: 0]
      findingsOfRule[finding.rule] = seen + 1
      if seen < Self.findingsPerRule { findings.append(finding) } else { findingsCut += 1 }
    }
  }

  private mutating func take(_ piece: Item) {
    guard bounds.parts.contains(.items) else { return }
    let connection = piece.key.connection
    guard run?.isSelected == true || connection <= Self.connectionLimit else { return }
    guard itemsKept < bounds.items else { return items[connection, default: ItemColumns()].leaveOut() }
    itemsKept += 1
    previewBytes += items[connection, default: ItemColumns()].add(
      piece, origin: run?.origin ?? .zero, redaction, keepsPreview: previewBytes < ItemColumns.previewBudget)
  }

  /// If connections are selected their numbers do not matter, and the first ones reported are kept.
  private func hasRoom(for connection: Int) -> Bool {
    guard run?.isSelected == true else { return connection <= Self.connectionLimit }
    return exchanges[connection] != nil || exchanges.count < Self.connectionLimit
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    var json = JSONWriter(.document)
    try write(summary, to: &json) { (json: inout JSONWriter) throws(ReportError) in
      try output.write(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
    }
    json.endLine()
    try output.write(json.bytes)
  }

  /// The same as a tree, for what is made from documents. What is in the tree is held no longer.
  package mutating func document(_ summary: Summary) -> DocumentNode {
    JSONWriter.tree { json in write(summary, .once, to: &json) { _ in } }
  }

  /// The same for a format that reads it once, without a tree of all of it.
  package consuming func reading(_ summary: Summary) -> DocumentReading {
    let frame = JSONWriter.tree { json in write(summary, .frame, to: &json) { _ in } }
    findings = []
    return DocumentReading(frame, self, summary)
  }

  /// Each of them, in order; none is held any longer.
  mutating func connections(_ summary: Summary, _ take: (DocumentNode) -> Void) {
    let context = context(summary)
    connections.reverse()
    while let record = connections.popLast() {
      take(JSONWriter.tree { json in connection(record, context, to: &json) })
      release(record.number)
    }
  }

  /// The same for a page, without a tree of all of it.
  package mutating func page(_ summary: Summary) -> DocumentNode {
    var selection = PageSelection()
    let document = JSONWriter.tree { json in
      write(summary, to: &json) { json in json.changeLast { selection.take($0) } }
    }
    let context = context(summary)
    return selection.finish(document) { place in
      JSONWriter.tree { json in connection(connections[place], context, to: &json) }
    }
  }

  /// All of a document; all, and what is written is held no longer; all but its connections.
  private enum Extent { case whole, once, frame }

  /// `part` is called between parts, so that not all of a document has to be held at once.
  private mutating func write<Failure>(
    _ summary: Summary, _ extent: Extent = .whole, to json: inout JSONWriter,
    part: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    let context = context(summary)
    connections.sort { $0.number < $1.number }
    findings.sort {
      ($0.connection ?? 0, $0.firstPacket.number, $0.rule) < ($1.connection ?? 0, $1.firstPacket.number, $1.rule)
    }
    json.beginObject()
    json.field("schema", "streamscope.result/1")
    if let run {
      json.tool(run)
      json.run(run)
    }
    json.redaction(redaction, payloads: redaction.isOn ? findings.payloads : 0)
    json.capture(summary.capture, context)
    json.summary(summary)
    json.endpoints(summary)
    measurements.write(to: &json)
    json.key("connections")
    json.beginArray()
    var next = 0
    while extent != .frame, next < connections.count {
      let group = group(from: next, in: json)
      if let sideBySide, group.count > 1 {
        let place = json.nextElement
        json.append(
          elements: sideBySide(group.count) { [self] at in
            var json = JSONWriter(place, behind: at)
            connection(connections[group.lowerBound + at], context, to: &json)
            return json.bytes
          })
      } else {
        connection(connections[next], context, to: &json)
        if extent == .once { release(connections[next].number) }
      }
      try part(&json)
      next = group.upperBound
    }
    json.endArray()
    json.field("connectionsCut", nonzero: connectionsCut)
    json.field("exchangesCut", nonzero: exchangesCut)
    json.array("findings") { list in
      for finding in findings { list.object { $0.finding(finding, context) } }
    }
    json.field("findingsCut", nonzero: findingsCut)
    json.assertions(summary.assertions)
    json.endObject()
  }

  private func context(_ summary: Summary) -> ResultContext {
    var context = ResultContext(
      origin: summary.capture.firstTime ?? .zero, redaction: redaction, file: summary.capture.file)
    context.members = summary.capture.members
    context.hops = summary.hops
    context.pairs = summary.pairs
    return context
  }

  /// The connections to write next: one, or some whose text is short.
  private func group(from start: Int, in json: JSONWriter) -> Range<Int> {
    var (end, text) = (start + 1, textBytes(of: connections[start]))
    guard sideBySide != nil, !json.isTree else { return start..<end }
    while end < connections.count, end - start < Self.together {
      text += textBytes(of: connections[end])
      if text > Self.textTogether { break }
      end += 1
    }
    return start..<end
  }

  private mutating func release(_ number: Int) {
    exchanges[number] = nil
    items[number] = nil
  }

  /// About as much as its text takes.
  private func textBytes(of record: ConnectionRecord) -> Int {
    4_096 * (1 + (exchanges[record.number]?.count ?? 0)) + 64 * (items[record.number]?.count ?? 0)
  }

  private func connection(_ record: ConnectionRecord, _ context: ResultContext, to json: inout JSONWriter) {
    json.object { json in
      json.connection(record, exchanges[record.number, default: []], context)
      items[record.number]?.write(to: &json)
      json.field("itemsCut", nonzero: items[record.number]?.cut ?? 0)
    }
  }
}

extension [Finding] {
  /// Excerpts hidden by redaction.
  fileprivate var payloads: UInt64 {
    reduce(0) { sum, finding in sum + UInt64(finding.evidence.count { $0.excerpt?.isPayload == true }) }
  }
}

extension [UInt8] {
  var hexText: String { Hex.text(span) }
}

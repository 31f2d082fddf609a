import Citation
import Events

/// OpenTelemetry's traces, metrics and logs: each line is a request as a collector takes it, in OTLP's JSON encoding.
///
/// An exchange becomes a span when its connection is over, because addresses and most findings come that late. What waits
/// is bounded: of too much, the connection with the most exchanges gives its spans early, without addresses.
package struct OTLPReporter: Reporter {
  /// Records on one line, and its bytes but for the last record.
  private static let recordsPerLine = 64
  private static let bytesPerLine = 256 << 10
  /// Exchanges that wait, and findings that wait for their exchange.
  private static let heldLimit = 4_096
  /// Traces that requests named: a finding may come when its exchange is written.
  private static let parentLimit = 20_000

  private let redaction: Redaction
  private var run = RunInfo(version: "", features: [], file: "")
  private var rows = RowContext(capture: "")
  private var held: [Int: [Int: HeldExchange]] = [:]
  private var heldCount = 0
  private var parents: [ExchangeKey: TraceContext.Parent] = [:]
  private var batches: [Signal: Batch] = [:]

  /// Records for one line, as JSON.
  private struct Batch {
    var records: [[UInt8]] = []
    var bytes = 0
  }

  private enum Signal: CaseIterable {
    case spans, logs, metrics

    var names: (resource: String, scope: String, records: String) {
      switch self {
      case .spans: ("resourceSpans", "scopeSpans", "spans")
      case .logs: ("resourceLogs", "scopeLogs", "logRecords")
      case .metrics: ("resourceMetrics", "scopeMetrics", "metrics")
      }
    }
  }

  package init(_ redaction: Redaction) {
    self.redaction = redaction
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {
    self.run = run
    rows = RowContext(capture: run.capture)
  }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    switch item {
    case .piece, .loss, .stall: break
    case .connection(let record): try settle(record.number, record, to: &output)
    case .exchange(let exchange):
      let key = exchange.key
      if parents.count < Self.parentLimit, let parent = TraceContext.Parent(exchange) { parents[key] = parent }
      hold(key) { $0.exchange = exchange }
      try tellWaiting(key, to: &output)
      try relieve(to: &output)
    case .finding(let finding):
      let fingerprint = rows.ordinals.fingerprint(of: FindingName(finding))
      guard let connection = finding.connection, let number = finding.exchange, number > 0 else {
        return try log(finding, fingerprint, nil, to: &output)
      }
      let key = ExchangeKey(connection: connection, number: number)
      hold(key) { $0.add(finding, fingerprint) }
      if held[connection]?[number]?.exchange != nil { try tellWaiting(key, to: &output) }
      try relieve(to: &output)
    }
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    for connection in held.keys.sorted() { try settle(connection, nil, to: &output) }
    if let error = summary.capture.error {
      if run.file.isEmpty { run.file = summary.capture.file }
      let time = summary.capture.lastTime ?? run.origin ?? .zero
      try add(.logs, to: &output) { $0.logRecord(ofError: error, at: time) }
    } else if let metrics = OTLPMetrics(summary.capture) {
      var reporter = self
      try metrics.forEach(summary) { (write) throws(ReportError) in try reporter.add(.metrics, to: &output, write) }
      self = reporter
    }
    for signal in Signal.allCases { try endLine(signal, to: &output) }
  }

  // MARK: What waits

  private mutating func hold(_ key: ExchangeKey, _ change: (inout HeldExchange) -> Void) {
    if held[key.connection]?[key.number] == nil { heldCount += 1 }
    change(&held[key.connection, default: [:]][key.number, default: HeldExchange()])
  }

  /// Makes room when too much waits.
  private mutating func relieve(to output: inout some ByteSink) throws(ReportError) {
    guard heldCount > Self.heldLimit,
      let most = held.max(by: { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) })?.key
    else { return }
    try settle(most, nil, to: &output)
  }

  /// Writes what waits of a connection.
  private mutating func settle(
    _ connection: Int, _ record: ConnectionRecord?, to output: inout some ByteSink
  ) throws(ReportError) {
    guard let waiting = held[connection] else { return }
    let redaction = redaction
    for number in waiting.keys.sorted() {
      let key = ExchangeKey(connection: connection, number: number)
      try tellWaiting(key, to: &output)
      guard let done = held[connection]?[number], let exchange = done.exchange else { continue }
      let span = ExchangeSpan(
        exchange, record, context(exchange), uid: rows.uid(key).text, findings: done.findings,
        findingsCut: done.findingsCut)
      try add(.spans, to: &output) { span.write(to: &$0, redaction) }
    }
    heldCount -= waiting.count
    held[connection] = nil
  }

  /// The log records of findings of an exchange whose trace is known now, or will not be.
  private mutating func tellWaiting(_ key: ExchangeKey, to output: inout some ByteSink) throws(ReportError) {
    guard let waiting = held[key.connection]?[key.number]?.waiting, !waiting.isEmpty else { return }
    held[key.connection]?[key.number]?.waiting = []
    for (finding, fingerprint) in waiting { try log(finding, fingerprint, key, to: &output) }
  }

  /// Nil where it is not known any more whether the request named a trace.
  private func context(_ key: ExchangeKey) -> TraceContext? {
    if let exchange = held[key.connection]?[key.number]?.exchange { return context(exchange) }
    guard parents[key] != nil || parents.count < Self.parentLimit else { return nil }
    return TraceContext(uid: rows.uid(key).text, parent: parents[key])
  }

  private func context(_ exchange: ExchangeRecord) -> TraceContext {
    TraceContext(uid: rows.uid(exchange.key).text, parent: TraceContext.Parent(exchange))
  }

  private mutating func log(
    _ finding: Finding, _ fingerprint: String, _ key: ExchangeKey?, to output: inout some ByteSink
  ) throws(ReportError) {
    let uid = key.map { rows.uid($0).text } ?? finding.connection.map { rows.uid($0).text } ?? rows.capture
    let trace = key.flatMap { context($0) }
    let origin = run.origin ?? .zero
    try add(.logs, to: &output) { $0.logRecord(finding, fingerprint: fingerprint, uid, trace, origin: origin) }
  }

  // MARK: Lines

  private mutating func add(
    _ signal: Signal, to output: inout some ByteSink, _ write: (inout JSONWriter) -> Void
  ) throws(ReportError) {
    var json = JSONWriter(.compact)
    write(&json)
    batches[signal, default: Batch()].bytes += json.bytes.count
    batches[signal, default: Batch()].records.append(json.bytes)
    guard let batch = batches[signal] else { return }
    if batch.records.count >= Self.recordsPerLine || batch.bytes >= Self.bytesPerLine {
      try endLine(signal, to: &output)
    }
  }

  private mutating func endLine(_ signal: Signal, to output: inout some ByteSink) throws(ReportError) {
    guard let batch = batches.removeValue(forKey: signal), !batch.records.isEmpty else { return }
    let names = signal.names
    let run = run
    var json = JSONWriter(.compact)
    json.object { json in
      json.array(FieldName(names.resource)) { list in
        list.object { json in
          json.object("resource") { $0.resource(run) }
          json.array(FieldName(names.scope)) { list in
            list.object { json in
              json.object("scope") { scope in
                scope.field("name", "streamscope")
                scope.field("version", run.version)
              }
              json.array(FieldName(names.records)) { list in
                for record in batch.records { list.fields(written: record) }
              }
              json.field("schemaUrl", ExchangeSpan.conventions)
            }
          }
          json.field("schemaUrl", ExchangeSpan.conventions)
        }
      }
    }
    json.endLine()
    try output.write(json.bytes)
  }
}

/// An exchange until its connection is over, or what came before it.
private struct HeldExchange {
  var exchange: ExchangeRecord?
  var findings: [SpanFinding] = []
  var findingsCut = 0
  /// Not logged yet: the exchange, which names the trace, has not come.
  var waiting: [(Finding, String)] = []

  mutating func add(_ finding: Finding, _ fingerprint: String) {
    waiting.append((finding, fingerprint))
    if findings.count < SpanEvent.limit {
      findings.append(SpanFinding(finding, fingerprint: fingerprint))
    } else {
      findingsCut += 1
    }
  }
}

extension JSONWriter {
  /// What was observing, and what: labels are attributes as they are, and one of them may name another service.
  fileprivate mutating func resource(_ run: RunInfo) {
    array("attributes") { list in
      var names: Set<String> = ["streamscope.capture.id", "streamscope.capture.file"]
      for label in run.labels where names.insert(label.name).inserted { list.attribute(label.name, label.value) }
      if !names.contains("service.name") { list.attribute("service.name", "streamscope") }
      if !run.capture.isEmpty { list.attribute("streamscope.capture.id", run.capture) }
      list.attribute("streamscope.capture.file", run.file)
    }
  }
}

import Citation
import Events

/// `streamscope.event/1`: one object per line as soon as it is known, or only the messages of streams.
///
/// Of open streams the time of their last piece is kept, for `gapNs`, and of findings how often each occurred.
package struct NDJSONReporter: Reporter {
  private let redaction: Redaction
  private var context: ResultContext
  private var json = JSONWriter(.documentLine)
  private var rows = RowContext(capture: "")
  private let tellsPiecesAlone: Bool
  private var hasBegun = false

  package init(_ redaction: Redaction, tellsPiecesAlone: Bool = false) {
    self.redaction = redaction
    self.tellsPiecesAlone = tellsPiecesAlone
    context = ResultContext(origin: .zero, redaction: redaction, file: "")
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {
    context = ResultContext(origin: run.origin ?? .zero, redaction: redaction, file: run.file)
    context.members = run.members
    rows = RowContext(capture: run.capture)
    guard !tellsPiecesAlone else { return }
    hasBegun = true
    json.object { $0.firstLine("capture", run, message: "") }
    try endLine(to: &output)
  }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    let context = context
    let capture = rows.capture
    if tellsPiecesAlone, !item.isPiece { return }
    switch item {
    case .connection(let record):
      rows.close(record.number)
      let uid = rows.uid(record.number)
      json.object { json in
        json.row("connection", record.firstPacket.time, uid, capture)
        json.connection(record, nil, context)
      }
    case .exchange(let exchange):
      let uid = rows.uid(exchange.key)
      let start = exchange.messages.first { _ in true }?.first.time ?? context.origin
      json.object { json in
        json.row("exchange", start, uid, capture)
        json.field("startNs", context.relative(start))
        json.field("connection", exchange.key.connection)
        json.place(exchange.endpoint, kind: exchange.kind.rawValue)
        json.exchange(exchange, context)
      }
    case .piece(let piece):
      let gap = rows.gap(before: piece)
      let uid = rows.uid(piece.key)
      json.object { json in
        json.row(piece.typeName, piece.completed.time, uid, capture)
        json.field("connection", piece.key.connection)
        json.field("gapNs", gap)
        json.piece(piece, context)
      }
    case .loss(let loss):
      json.object { json in
        json.row("loss", loss.before.time, nil, capture)
        json.loss(loss, context)
      }
    case .stall(let stall):
      let uid = rows.uid(stall.stream.key)
      json.object { json in
        json.row("stall", stall.stream.last.time.advanced(by: stall.nanoseconds), uid, capture)
        json.stall(stall, context)
      }
    case .finding(let finding):
      let fingerprint = rows.ordinals.fingerprint(of: FindingName(finding))
      let uid = finding.connection.map { rows.uid(ExchangeKey(connection: $0, number: finding.exchange ?? 0)) }
      json.object { json in
        json.row("finding", finding.firstPacket.number > 0 ? finding.firstPacket.time : context.origin, uid, capture)
        json.field("fingerprint", fingerprint)
        json.place(finding.place, kind: nil)
        json.finding(finding, context)
      }
    }
    try endLine(to: &output)
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    if let error = summary.capture.error { return try tell(error, of: summary.capture.file, to: &output) }
    guard !tellsPiecesAlone else { return }
    let context = context
    let capture = rows.capture
    let end = summary.capture.lastTime ?? context.origin
    for endpoint in summary.endpoints.prefix(JSONWriter.endpointLimit) {
      for figures in endpoint.figures {
        for (measure, direction, values) in figures.all {
          json.object { json in
            json.row("histogram", end, nil, capture)
            json.place(endpoint.name, kind: figures.kind.rawValue)
            json.field("direction", direction?.name)
            json.field("measure", measure)
            json.object("histogram") { $0.histogram(values) }
          }
          try endLine(to: &output)
        }
      }
    }
    json.object { json in
      json.row("summary", end, nil, capture)
      json.field("schema", "streamscope.event/1")
      json.capture(summary.capture, context)
      json.summary(summary)
      json.endpoints(summary)
      json.assertions(summary.assertions)
    }
    try endLine(to: &output)
  }

  /// A capture that could not be read, or not to its end.
  private mutating func tell(
    _ error: String, of file: String, to output: inout some ByteSink
  ) throws(ReportError) {
    let isFirst = !hasBegun && !tellsPiecesAlone
    json.object { json in
      if isFirst {
        json.firstLine("error", RunInfo(version: "", features: [], file: file), message: error)
      } else {
        json.field("type", "error")
        json.field("file", file)
        json.field("message", error)
      }
    }
    try endLine(to: &output)
  }

  private mutating func endLine(to output: inout some ByteSink) throws(ReportError) {
    json.endLine()
    try output.write(json.bytes)
    json.bytes.removeAll(keepingCapacity: true)
  }
}

extension ReportItem {
  fileprivate var isPiece: Bool {
    if case .piece = self { true } else { false }
  }
}

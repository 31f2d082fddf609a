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
    if tellsPiecesAlone, !item.isPiece { return }
    // Without a closure, which would need a copy of the context for each line.
    json.beginObject()
    json.line(item, &rows, context)
    json.endObject()
    try endLine(to: &output)
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    if let error = summary.capture.error { return try tell(error, of: summary.capture.file, to: &output) }
    guard !tellsPiecesAlone else { return }
    let context = context
    let capture = rows.capture
    let end = summary.capture.lastTime ?? context.origin
    try summary.forEachHistogram { (endpoint, kind, measure, direction, values) throws(ReportError) in
      json.object { json in
        json.row("histogram", end, nil, capture)
        json.histogramLine(endpoint, kind, measure, direction, values)
      }
      try endLine(to: &output)
    }
    json.object { json in
      json.row("summary", end, nil, capture)
      json.summaryLine(summary, context)
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

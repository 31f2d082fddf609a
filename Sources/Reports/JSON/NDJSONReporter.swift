import Citation
import Events

/// `streamscope.event/1`: one object per line as soon as it is known, or only the messages of streams. Stores nothing.
package struct NDJSONReporter: Reporter {
  private let redaction: Redaction
  private var context: ResultContext
  private var json = JSONWriter(.documentLine)

  private let tellsPiecesAlone: Bool

  package init(_ redaction: Redaction, tellsPiecesAlone: Bool = false) {
    self.redaction = redaction
    self.tellsPiecesAlone = tellsPiecesAlone
    context = ResultContext(origin: .zero, redaction: redaction, file: "")
  }

  package mutating func begin(_ run: RunInfo, to output: inout some ByteSink) throws(ReportError) {
    context = ResultContext(origin: run.origin ?? .zero, redaction: redaction, file: run.file)
  }

  package mutating func report(_ item: ReportItem, to output: inout some ByteSink) throws(ReportError) {
    let context = context
    if tellsPiecesAlone, !item.isPiece { return }
    switch item {
    case .connection(let record):
      json.object { json in
        json.field("type", "connection")
        json.connection(record, nil, context)
      }
    case .exchange(let exchange):
      json.object { json in
        json.field("type", "exchange")
        json.field("connection", exchange.key.connection)
        json.exchange(exchange, context)
      }
    case .piece(let piece):
      json.object { json in
        json.field("type", piece.typeName)
        json.field("connection", piece.key.connection)
        json.piece(piece, context)
      }
    case .loss(let loss):
      json.object { json in
        json.field("type", "loss")
        json.loss(loss, context)
      }
    case .stall(let stall):
      json.object { json in
        json.field("type", "stall")
        json.stall(stall, context)
      }
    case .finding(let finding):
      json.object { json in
        json.field("type", "finding")
        json.finding(finding, context)
      }
    }
    try endLine(to: &output)
  }

  package mutating func finish(_ summary: Summary, to output: inout some ByteSink) throws(ReportError) {
    guard !tellsPiecesAlone else { return }
    let context = context
    json.object { json in
      json.field("type", "summary")
      json.field("schema", "streamscope.event/1")
      json.capture(summary.capture, context)
      json.summary(summary)
      json.endpoints(summary)
      json.assertions(summary.assertions)
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

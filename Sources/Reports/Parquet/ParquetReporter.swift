import Citation
import Events
import Parquet

/// One capture as tables: a file of each, a row group after the other as they are filled.
///
/// The rows are made by what writes the lines of NDJSON, so that both say the same. Whoever owns the files takes what is
/// written after each call; nothing else is kept but row groups and what NDJSON keeps.
package struct ParquetReporter {
  private let redaction: Redaction
  private let run: RunInfo
  private let context: ResultContext
  private var rows: RowContext
  /// In the order of the kinds.
  private var tables: [JSONWriter]
  /// Whether the last item ended a row group.
  package private(set) var hasBytes = true

  package init(_ run: RunInfo, _ redaction: Redaction, limits: ParquetWriter.Limits = ParquetWriter.Limits()) {
    self.run = run
    self.redaction = redaction
    var context = ResultContext(origin: run.origin ?? .zero, redaction: redaction, file: run.file)
    context.members = run.members
    self.context = context
    rows = RowContext(capture: run.capture)
    tables = TableKind.allCases.map { kind in
      JSONWriter(
        records: ParquetWriter(
          Schema(kind.columns), creator: "streamscope version \(run.version)",
          metadata: [("streamscope.schema", "streamscope.event/1"), ("streamscope.table", kind.rawValue)],
          limits: limits))
    }
  }

  /// The same in every run over the same bytes.
  package var name: String { run.capture }

  package mutating func report(_ item: ReportItem) {
    guard let kind = item.table else { return }
    let context = context
    tables[kind.place].object { $0.line(item, &rows, context) }
    hasBytes = tables[kind.place].table?.hasBytes ?? false
  }

  package mutating func finish(_ summary: Summary) {
    let context = context
    let end = summary.capture.lastTime ?? context.origin
    let capture = rows.capture
    summary.forEachHistogram { (endpoint, figures, measure, direction, values) in
      tables[TableKind.histograms.place].object { json in
        json.row("histogram", end, nil, capture)
        json.histogramLine(endpoint, figures, measure, direction, values)
      }
    }
    let run = run
    tables[TableKind.captures.place].object { json in
      json.row("capture", end, nil, capture)
      json.field("file", run.file)
      json.field("version", run.version)
      json.labels(run.labels)
      json.summaryLine(summary, context)
    }
    for kind in TableKind.allCases { tables[kind.place].table?.finish() }
  }

  /// What was written since this was asked last.
  package mutating func takeBytes(of kind: TableKind) -> [UInt8] { tables[kind.place].table?.takeBytes() ?? [] }

  /// Fields that no table has a column for: none, if the columns are those of the lines.
  package var strays: Int { tables.reduce(0) { $0 + ($1.table?.file.records.strays ?? 0) } }
}

extension TableKind {
  fileprivate var place: Int {
    switch self {
    case .connections: 0
    case .exchanges: 1
    case .pieces: 2
    case .findings: 3
    case .histograms: 4
    case .captures: 5
    }
  }
}

extension ReportItem {
  /// Losses are in the row of the capture, and a stall is only told while it lasts.
  fileprivate var table: TableKind? {
    switch self {
    case .connection: .connections
    case .exchange: .exchanges
    case .piece: .pieces
    case .finding: .findings
    case .loss, .stall: nil
    }
  }
}

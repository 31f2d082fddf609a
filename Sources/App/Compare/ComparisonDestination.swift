import Events
import Reports

/// One output of a comparison: a format and its destination.
struct ComparisonDestination {
  private let request: OutputRequest
  private let options: AnalyzeOptions
  private let console: Console
  private var output: OutputFile

  static func all(_ options: AnalyzeOptions, _ console: Console) throws(Stop) -> [ComparisonDestination] {
    let requests = options.outputs.isEmpty ? [OutputRequest(format: .text)] : options.outputs
    var all: [ComparisonDestination] = []
    for request in requests {
      let output = try request.open(console)
      output.ignoresClosedPipe = options.failOn != .never
      all.append(ComparisonDestination(request: request, options: options, console: console, output: output))
    }
    return all
  }

  mutating func write(_ record: ComparisonRecord, _ redaction: Redaction) throws(Stop) {
    let isTerminal = request.file == nil && console.isOutputTerminal
    do throws(ReportError) {
      switch request.format {
      case .text:
        let style = options.textStyle(console, isTerminal: isTerminal)
        try ComparisonText(style, redaction).write(record, to: &output)
      case .json, .ndjson, .otlp, .parquet: try Self.document(redaction, record).write(record, to: &output)
      case .converted(let format):
        let document = Self.document(redaction, record).document(record)
        try format.write([document], App.conversion(options.sarifProfile), to: &output)
      }
      try output.commit()
    } catch {
      throw Stop(error)
    }
  }

  private static func document(_ redaction: Redaction, _ record: ComparisonRecord) -> ComparisonDocument {
    ComparisonDocument(
      RunInfo(version: App.version, features: App.features, file: record.captures.a.capture.file), redaction)
  }
}

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
      case .json, .ndjson: try output.write(Self.document(record, redaction).bytes)
      case .converted(let format):
        let written = try Self.document(record, redaction).bytes
        let node: DocumentNode
        do throws(DocumentParser.Malformed) {
          node = try DocumentParser.parse(written)
        } catch {
          throw ReportError(
            "internal error: the document of this run cannot be parsed: \(error.what) at byte \(error.offset)")
        }
        try format.write([node], App.conversion(options.sarifProfile), to: &output)
      }
      try output.commit()
    } catch {
      throw Stop(error)
    }
  }

  private static func document(
    _ record: ComparisonRecord, _ redaction: Redaction
  ) throws(ReportError) -> MemorySink {
    var document = MemorySink()
    let run = RunInfo(version: App.version, features: App.features, file: record.captures.a.capture.file)
    try ComparisonDocument(run, redaction).write(record, to: &document)
    return document
  }
}

import Events
import Platform
import Reports
import Rules

/// One output: a format and its destination.
struct Destination {
  private let request: OutputRequest
  private let isSeveral: Bool
  private let options: AnalyzeOptions
  private let console: Console
  private var output: OutputFile
  private var reporter: any Reporter
  /// Of a capture that was begun and is not finished.
  private var tables: TableFiles?
  /// For a format made from documents: the current one, and those before it, in the form that the format takes.
  private var document: JSONReporter?
  private var documents: [DocumentNode] = []
  private var readings: [DocumentReading] = []
  /// No capture was begun yet.
  private var isFirst = true
  /// A capture was begun and is not finished. One that begins again keeps its place.
  private var isOpen = false

  static func all(
    _ options: AnalyzeOptions, _ console: Console, isSeveral: Bool, rotation: LineLog.Rotation? = nil
  ) throws(Stop) -> [Destination] {
    let requests = options.outputs.isEmpty ? [OutputRequest(format: .text)] : options.outputs
    var all: [Destination] = []
    for request in requests {
      let output = try request.open(console, rotation)
      if request.format == .parquet, let folder = request.file { try TableFiles.prepare(folder) }
      // The verdict is needed even if the reader is gone.
      if options.view == .check { output.ignoresClosedPipe = true }
      all.append(
        Destination(
          request: request, isSeveral: isSeveral, options: options, console: console, output: output,
          reporter: NDJSONReporter(Redaction(isOn: true, salt: []))))
    }
    return all
  }

  var isText: Bool { request.format == .text }

  mutating func begin(_ run: RunInfo, _ redaction: Redaction) throws(ReportError) {
    if !isOpen { try separate() }
    isOpen = true
    var redaction = redaction
    let isTerminal = request.file == nil && console.isOutputTerminal
    // On a terminal payload is shown; secrets stay hidden there, too.
    redaction.isOn = options.isRedacted
    redaction.showsPayload = request.format == .text && isTerminal
    switch request.format {
    case .text:
      var style = options.textStyle(console, isTerminal: isTerminal)
      style.showsPayload = !redaction.isOn || redaction.showsPayload
      // A report is prose of limited width; a list uses the full width.
      if options.view == .messages || options.view == .live, isTerminal { style.width = max(console.width ?? 80, 60) }
      reporter =
        switch options.view {
        case .report: TextReporter(style, redaction) { Registry.info($0)?.summary }
        case .messages: MessagesReporter(style, redaction)
        case .live: LiveReporter(style, redaction) { Registry.info($0)?.summary }
        case .check: CheckReporter(style, redaction, counts: options.check.policy.counts)
        }
    case .json:
      let jobs = options.usedJobs
      reporter = JSONReporter(redaction, options.documentBounds(request.format)) { SideBySide.map($0, jobs: jobs, $1) }
    case .ndjson:
      reporter = NDJSONReporter(redaction, tellsPiecesAlone: options.view == .messages)
    case .otlp:
      reporter = OTLPReporter(redaction)
    case .converted:
      document = JSONReporter(redaction, options.documentBounds(request.format))
      document?.begin(run)
      return
    case .parquet:
      tables = try request.file.map { (folder) throws(ReportError) in
        try TableFiles(in: folder, ParquetReporter(run, redaction))
      }
      return
    }
    try reporter.begin(run, to: &output)
  }

  /// What stands before a capture.
  private mutating func separate() throws(ReportError) {
    defer { isFirst = false }
    switch request.format {
    case .text: if !isFirst, options.view != .check { try output.write([0x0A]) }
    case .json: if isSeveral { try output.write(Array((isFirst ? "[\n" : ",\n").utf8)) }
    case .ndjson, .otlp, .parquet, .converted: break
    }
  }

  mutating func report(_ item: ReportItem) throws(ReportError) {
    switch request.format {
    case .converted: document?.keep(item)
    case .parquet: try tables?.report(item)
    case .text, .json, .ndjson, .otlp: try reporter.report(item, to: &output)
    }
  }

  mutating func finish(_ summary: Summary) throws(ReportError) {
    isOpen = false
    switch request.format {
    case .converted(let format):
      guard var written = document.take() else { return }
      Memory.returnUnused()
      if format.isConnectionwise {
        readings.append(written.reading(summary))
      } else {
        documents.append(format == .html ? written.page(summary) : written.document(summary))
      }
    case .parquet:
      try tables?.finish(summary)
      tables = nil
    case .text, .json, .ndjson, .otlp: try reporter.finish(summary, to: &output)
    }
  }

  /// A capture that could not be read, or not to its end: it has a place among the others, with the reason.
  mutating func tell(_ error: String, of run: RunInfo) throws(ReportError) {
    defer { isOpen = false }
    var capture = CaptureRecord(file: run.file)
    capture.isComplete = false
    capture.error = error
    capture.problems = [error]
    let redaction = Redaction(isOn: true, salt: [])
    switch request.format {
    // Standard error says it to people.
    case .text: return
    // A capture that was begun has no files; those of another run stay.
    case .parquet:
      tables = nil
      return
    // Lines of what was begun are written; the error is one more.
    case .ndjson:
      if !isOpen { reporter = NDJSONReporter(redaction, tellsPiecesAlone: options.view == .messages) }
    case .otlp:
      if !isOpen { reporter = OTLPReporter(redaction) }
    // A document is written at the end: of what was begun nothing is.
    case .json, .converted:
      guard isSeveral else { return }
      try begin(run, redaction)
    }
    try finish(Summary(capture: capture))
  }

  /// No capture was read: files stay as they were. On standard output a list of what was not read is ended.
  mutating func abandon() throws(Stop) {
    guard request.file == nil, request.format == .json || request.isLines else { return }
    try commit()
  }

  private var isRewritten: Bool { request.isRewritten }

  /// Replaces the file atomically with the current figures.
  func rewrite(_ summary: Summary) throws(ReportError) {
    guard isRewritten, let path = request.file, case .converted(let format) = request.format else { return }
    var soFar = document
    guard let written = soFar?.document(summary) else { return }
    var file = try OutputFile.file(path, mark: ".now")
    try format.write([written], App.conversion(options.sarifProfile), to: &file)
    try file.commit()
  }

  /// Flushes the output so far.
  func flush() throws(ReportError) { if request.format != .parquet { try output.flush() } }

  /// Opens files that grow again.
  func reopen() throws(ReportError) { try output.reopen() }

  /// The last line of a check.
  mutating func conclude(_ line: String) throws(Stop) {
    guard request.format == .text else { return }
    try output.print(line + "\n")
  }

  /// All captures are reported.
  mutating func commit() throws(Stop) {
    // Its files are in their places since each capture's end.
    guard request.format != .parquet else { return }
    do throws(ReportError) {
      if request.format == .json, isSeveral { try output.write(Array("]\n".utf8)) }
      if case .converted(let format) = request.format {
        let context = App.conversion(options.sarifProfile)
        if format.isConnectionwise {
          try format.write(&readings, context, to: &output)
        } else {
          try format.write(documents, context, to: &output)
        }
      }
      try output.commit()
      try JobSummary.append(documents, request, console)
    } catch {
      throw Stop(error)
    }
  }
}

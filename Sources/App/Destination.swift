import Events
import Reports

/// One output: a format and its destination.
struct Destination {
  private let request: OutputRequest
  private let isSeveral: Bool
  private let options: AnalyzeOptions
  private let console: Console
  private var output: OutputFile
  private var reporter: any Reporter
  /// For a format made from documents: the current one, and those before it.
  private var document: JSONReporter?
  private var documents: [DocumentNode] = []
  /// Captures that were begun.
  private var begun = 0

  static func all(_ options: AnalyzeOptions, _ console: Console, isSeveral: Bool) throws(Stop) -> [Destination] {
    let requests = options.outputs.isEmpty ? [OutputRequest(format: .text)] : options.outputs
    var all: [Destination] = []
    for request in requests {
      let output = try request.open(console)
      // The verdict is needed even if the reader is gone.
      if options.view == .check { output.ignoresClosedPipe = true }
      all.append(
        Destination(
          request: request, isSeveral: isSeveral, options: options, console: console, output: output,
          reporter: NDJSONReporter(Redaction(isOn: true, salt: []))))
    }
    return all
  }

  mutating func begin(_ run: RunInfo, _ redaction: Redaction) throws(ReportError) {
    let isFirst = begun == 0
    begun += 1
    var redaction = redaction
    let isTerminal = request.file == nil && console.isOutputTerminal
    // On a terminal payload is shown; secrets stay hidden there, too.
    redaction.isOn = options.isRedacted
    redaction.showsPayload = request.format == .text && isTerminal
    switch request.format {
    case .text:
      if !isFirst, options.view != .check { try output.write([0x0A]) }
      var style = options.textStyle(console, isTerminal: isTerminal)
      style.showsPayload = !redaction.isOn || redaction.showsPayload
      // A report is prose of limited width; a list uses the full width.
      if options.view == .messages || options.view == .live, isTerminal { style.width = max(console.width ?? 80, 60) }
      reporter =
        switch options.view {
        case .report: TextReporter(style, redaction)
        case .messages: MessagesReporter(style, redaction)
        case .live: LiveReporter(style, redaction)
        case .check: CheckReporter(style, redaction, counts: options.check.policy.counts)
        }
    case .json:
      if isSeveral { try output.write(Array((isFirst ? "[\n" : ",\n").utf8)) }
      reporter = JSONReporter(redaction, itemLimit: options.itemLimit)
    case .ndjson:
      reporter = NDJSONReporter(redaction, tellsPiecesAlone: options.view == .messages)
    case .converted:
      document = JSONReporter(redaction, itemLimit: options.itemLimit)
      document?.begin(run)
      return
    }
    try reporter.begin(run, to: &output)
  }

  mutating func report(_ item: ReportItem) throws(ReportError) {
    if case .converted = request.format { document?.keep(item) } else { try reporter.report(item, to: &output) }
  }

  mutating func finish(_ summary: Summary) throws(ReportError) {
    guard case .converted = request.format else { return try reporter.finish(summary, to: &output) }
    if let written = document?.document(summary) { documents.append(written) }
    document = nil
  }

  /// A capture that could not be read, or not to its end: it has a place among the others, with the reason.
  mutating func tell(_ error: String, of run: RunInfo, hasBegun: Bool, _ redaction: Redaction) throws(ReportError) {
    var capture = CaptureRecord(file: run.file)
    capture.isComplete = false
    capture.error = error
    capture.problems = [error]
    let summary = Summary(capture: capture)
    switch request.format {
    // A list of messages is of one capture; the others say it beside the output.
    case .text: return
    case .ndjson: if !hasBegun { reporter = NDJSONReporter(redaction) }
    case .json, .converted:
      guard isSeveral else { return }
      if !hasBegun { try begin(run, redaction) } else if request.format == .json { try begin(again: run, redaction) }
      if request.format != .json {
        document = JSONReporter(redaction, itemLimit: 0)
        document?.begin(run)
      }
    }
    try finish(summary)
  }

  /// What was begun is written at the end, and so was not written.
  private mutating func begin(again run: RunInfo, _ redaction: Redaction) throws(ReportError) {
    reporter = JSONReporter(redaction, itemLimit: 0)
    try reporter.begin(run, to: &output)
  }

  /// No capture was read: files stay as they were; lines are for whoever reads them.
  mutating func abandon() throws(Stop) {
    guard request.format == .ndjson, request.file == nil else { return }
    do throws(ReportError) { try output.commit() } catch { throw Stop(error) }
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
  func flush() throws(ReportError) { try output.flush() }

  /// The last line of a check.
  mutating func conclude(_ line: String) throws(Stop) {
    guard request.format == .text else { return }
    try output.print(line + "\n")
  }

  /// All captures are reported.
  mutating func commit() throws(Stop) {
    do throws(ReportError) {
      if request.format == .json, isSeveral { try output.write(Array("]\n".utf8)) }
      if case .converted(let format) = request.format {
        try format.write(documents, App.conversion(options.sarifProfile), to: &output)
      }
      try output.commit()
      try JobSummary.append(documents, request, console)
    } catch {
      throw Stop(error)
    }
  }
}

import Capture
import Citation
import Engine
import Events
import Platform
import Queries
import Reports

/// The analysis of one capture, or of several files of a rotated one.
struct AnalyzeRun {
  let files: [String]
  /// The files are of several points; their clocks.
  var points: PointAlignment?
  /// Among the captures that a command reads one after the other.
  var turn = 0
  /// Live packets, instead of files.
  var live: LiveCapture?
  /// The name of the file in reports, if it is not its path.
  var shownName: String?
  let options: AnalyzeOptions
  let selection: ItemSelection
  var assertions: [Assertion] = []
  let keyLog: KeyLogFile?
  let console: Console
  /// Of a check.
  var review: FindingReview?
  /// The program ends when it is done.
  var isLast = false

  var name: String { live?.name ?? shownName ?? path }
  private var path: String { path(points == nil ? " … " : " + ") }

  private func path(_ between: String) -> String {
    files.count == 1 ? files[0] : files[0] + between + files[files.count - 1]
  }

  /// The same for a check: what counts is counted.
  func report(to destinations: inout [Destination], _ tally: inout CheckTally) async throws(Stop) -> ExitCode {
    var counted = tally
    defer { tally = counted }
    return try await report(to: &destinations) { step in
      switch step {
      case .found(let finding): counted.add(finding)
      case .read(let summary): counted.add(summary)
      }
    }
  }

  /// The basis of a verdict.
  enum Step {
    case found(Finding)
    case read(Summary)
  }

  func report(
    to destinations: inout [Destination], watch: (Step) -> Void
  ) async throws(Stop) -> ExitCode {
    noteReading()
    let opened: OpenedCapture
    do throws(CaptureError) {
      opened = try openAll()
    } catch {
      throw Stop(ofCapture: error.description)
    }
    let (name, members) = (opened.name, opened.members)
    // A report for people does not print it.
    let identity = isEndless || destinations.allSatisfy(\.isText) ? nil : CaptureIdentity.of(opened.files)
    var pipeline = Pipeline(opened.source, file: name, pipelineOptions)
    var progress = ProgressLine(console, name)
    var citations = Citations()
    var assertionRun = AssertionRun(assertions)
    let tellsPieces = pieces.isTold
    let shared = try options.saltFile.map { (path) throws(Stop) in try CaptureSalt.shared(path) }
    let fixed = shared ?? (isEndless ? live?.salt ?? CaptureSalt.random : nil)
    let start = opened.files.first ?? "-"
    let redaction = Redaction(isOn: true) { fixed ?? CaptureSalt.of(start) }
    var targets = destinations
    var show = live.map { LiveShow($0, options, console, redaction) }
    var rewriting = RewriteTurn()
    var summary: Summary
    do throws(PipelineError) {
      summary = try await pipeline.run(
        // The source ends a live capture, because it knows what is still buffered.
        stop: isEndless ? StopFlag() : Interruption.flag,
        progress: { (reached) throws(ReportError) in
          for item in try show?.step(reached) ?? [] {
            for at in targets.indices { try targets[at].report(item) }
          }
          // Of a pipe nobody knows when there is more: lines are for whoever reads them now.
          if reached.size == nil { for at in targets.indices { try targets[at].flush() } }
          guard isEndless else { return progress.update(reached) }
          if ReopenRequest.take() { for target in targets { try target.reopen() } }
          if let summary = reached.summary {
            try rewriting.take { () throws(ReportError) in for target in targets { try target.rewrite(summary) } }
          }
        },
        begin: { (origin) throws(ReportError) in
          if let origin { assertionRun.begin(at: origin) }
          for at in targets.indices {
            var run = RunInfo(version: App.version, features: App.features, file: name)
            run.origin = origin
            run.members = members
            run.capture = identity ?? origin.map { "t\($0.nanoseconds)" } ?? "none"
            run.labels = options.labels
            run.isLive = isEndless
            run.isSelected = selection.isSifted
            if points != nil { run.points = files }
            run.inputOptions = [("-f", options.filter), ("--keylog", options.keylog)].compactMap { name, value in
              value.map { (name, $0) }
            }
            try targets[at].begin(run, redaction)
          }
        },
        emit: { (item) throws(ReportError) in
          assertionRun.take(item)
          if case .piece = item, !tellsPieces { return }
          let item = options.isRedacted ? redaction.withoutSecrets(item) : item
          if case .finding(let finding) = item {
            watch(.found(finding))
            if options.extract != nil { citations.add(finding) }
          }
          show?.take(item)
          for at in targets.indices { try targets[at].report(item) }
        })
      progress.clear()
      show?.end()
      summary.assertions = assertionRun.results(summary)
      for at in targets.indices { try Self.reporting { () throws(ReportError) in try targets[at].finish(summary) } }
    } catch {
      destinations = targets
      progress.clear()
      show?.end()
      switch error {
      case .capture(let error): throw Stop(ofCapture: error.description)
      case .report(let error): throw Stop(error)
      }
    }
    destinations = targets
    if isLast { Program.keep(pipeline) }
    if let number = options.connection, UInt64(max(0, number)) > summary.connections {
      throw Stop("--connection \(number): the capture has \(Wording.count(summary.connections, "connection"))")
    }
    watch(.read(summary))
    if let path = options.extract { try citations.extract(from: files, points, to: path) }
    if !isEndless, Interruption.flag.isRaised { return .interrupted }
    return code(summary)
  }

  /// What is read from now on is this capture.
  func noteReading() {
    Faults.reading(name, files, turn: turn, isEndless: isEndless)
  }

  /// Packets come until the user ends it, and then the report is what was asked for.
  private var isEndless: Bool { live != nil || options.follow != nil }

  private struct OpenedCapture {
    var source: any CaptureSource
    var name: String
    var members: MemberTable?
    /// In the order of their packets.
    var files: [String]
  }

  private func openAll() throws(CaptureError) -> sending OpenedCapture {
    if let folder = options.follow {
      let watch = FolderWatch(folder, settle: options.settle)
      let series = CaptureSeries(following: watch, filter: options.filter) { Interruption.flag.isRaised }
      return OpenedCapture(source: series, name: folder, members: series.table, files: [])
    }
    guard live == nil, files.count > 1 else {
      return OpenedCapture(source: try open(), name: name, members: nil, files: files)
    }
    if let points {
      let source = try points.open(files, filter: options.filter)
      return OpenedCapture(source: source, name: path, members: source.table, files: files)
    }
    let series = try CaptureSeries(paths: files, filter: options.filter)
    if series.isReordered { sayOrder(of: series.firstPath ?? "") }
    return OpenedCapture(source: series, name: series.name, members: series.table, files: series.paths)
  }

  private func sayOrder(of first: String) {
    // If it cannot be printed, the report still tells it by the order of the files.
    try? console.say("the files are read in the order of their times, not as given; the first is \(first)")
  }

  /// Gives a capture that could not be read its place in the output.
  func tell(_ reason: String, to destinations: inout [Destination]) throws(Stop) {
    let run = RunInfo(version: App.version, features: App.features, file: name)
    do throws(ReportError) {
      for at in destinations.indices { try destinations[at].tell(reason, of: run) }
    } catch {
      throw Stop(error)
    }
  }

  /// One file, or a device.
  func open() throws(CaptureError) -> sending any CaptureSource {
    if let live { return try live.open() }
    let file = try CaptureFile(path: files[0], filter: options.filter)
    // Lines are printed as soon as they are known; a report or document has to be the same every time.
    file.handsOverEarly = options.outputs.contains { $0.format == .ndjson }
    return file
  }

  static func reporting(_ body: () throws(ReportError) -> Void) throws(PipelineError) {
    do throws(ReportError) { try body() } catch { throw .report(error) }
  }

  /// What open connections may hold. Text and lines are to take no more than 64 MiB, of which the rest is for the program
  /// itself, and for what was read and is not reported yet.
  private var connectionMemory: Int {
    if options.writesDocument { return options.documentMemory.open }
    let memory = options.memory ?? 64 << 20
    return memory > 64 << 20 ? memory - 49 << 20 : memory * 15 / 64
  }

  var pipelineOptions: PipelineOptions {
    var pipeline = PipelineOptions()
    pipeline.jobs = options.usedJobs
    pipeline.memory = connectionMemory
    pipeline.digests = options.isDigested
    pipeline.thresholds = options.check.configuration.thresholdValues
    pipeline.placesLint = options.outputs.contains { $0.format.isOneByOne }
    let assertionRun = AssertionRun(assertions)
    pipeline.timelineLimit = timelineLimit
    pipeline.pieces = pieces
    pipeline.drawsWindows = parts.contains(.windows)
    if assertionRun.needsPieces { pipeline.pieces.isTold = true }
    let isTextAlone = options.outputs.allSatisfy { $0.format == .text }
    if isTextAlone, options.connection == nil {
      pipeline.timelineConnections = selection.isSifted ? Self.siftedTimelines : TextReporter.storyLimit
    }
    if options.view == .check {
      pipeline.expectsStreams = true
      if let review { pipeline.review = { review.accepts(&$0) } }
      if isTextAlone { pipeline.timelineConnections = 0 }
    }
    if let keyLog { pipeline.keyLog = keyLog.log }
    if live != nil { pipeline.streamInterval = LiveShow.interval }
    if isEndless {
      pipeline.idleLimit = options.live.idle
      if options.outputs.contains(where: \.isRewritten) { pipeline.summaryInterval = RewriteTurn.interval }
    }
    pipeline.remarks = (points?.remarks ?? []) + [keyLog?.note].compactMap { $0 }
    pipeline.selection = selection
    pipeline.notes = Faults.notes
    pipeline.faults = Faults.known(console, turn: turn)
    // A document may hold more than text, within --memory.
    if options.writesDocument { pipeline.selection.heldBytes = options.documentMemory.selection }
    return pipeline
  }

  /// What the documents are read for.
  private var parts: DocumentParts { options.outputs.reduce(into: []) { $0.formUnion($1.format.parts) } }

  /// Which pieces of streams the formats need, and how much of each: hidden ones only need a hash.
  private var pieces: PieceOptions {
    var pieces = formatPieces
    guard options.view == .live, options.outputs.isEmpty || options.outputs.contains(where: { $0.format == .text })
    else {
      return pieces
    }
    pieces.isTold = true
    pieces.previewLimit = max(256, pieces.previewLimit)
    return pieces
  }

  private var formatPieces: PieceOptions {
    if options.view == .messages { return PieceOptions(isTold: true, previewLimit: 256) }
    let hasDocument = parts.contains(.items) && options.itemLimit > 0
    guard hasDocument || options.outputs.contains(where: { $0.format.tellsPieces }) else { return PieceOptions() }
    return PieceOptions(isTold: true, previewLimit: options.isRedacted ? (hasDocument ? Excerpt.limit : 0) : 16 << 10)
  }

  /// Which connections are selected is known when they end: until there are more than this, each may be reported.
  private static let siftedTimelines = 256

  private var timelineLimit: Int {
    switch options.timeline {
    case .none: 0
    // Lines report each piece of a stream separately, and memory has to stay small as well.
    case .short
    where !options.isVerbose && options.outputs.allSatisfy({ $0.format.isOneByOne }) && !options.outputs.isEmpty: 0
    // Lists of findings show none.
    case _ where !options.outputs.isEmpty && options.outputs.allSatisfy({ $0.format.isDocument }) && parts.isEmpty: 0
    // Text needs little memory however many connections are open; a document may need more.
    case .short: options.isVerbose ? 10_000 : parts.contains(.landmarks) ? 200 : 64
    case .full: 10_000
    }
  }

  private func code(_ summary: Summary) -> ExitCode {
    if summary.capture.unreadableMembers > 0 { return .failure }
    let count = { (severity: Severity) in summary.findings[severity, default: 0] }
    let isFailed: Bool
    switch options.failOn {
    case .never: isFailed = false
    case .error: isFailed = count(.error) > 0
    case .warning: isFailed = count(.error) + count(.warning) > 0
    case .note: isFailed = count(.error) + count(.warning) + count(.note) > 0
    case .incomplete:
      isFailed = summary.isIncomplete
    case .empty: isFailed = summary.isEmpty
    }
    let hasFailed = summary.assertions.contains { $0.verdict == .failed }
    return isFailed || hasFailed ? .findings : .success
  }
}

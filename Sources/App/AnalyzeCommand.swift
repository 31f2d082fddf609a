import Arguments
import Capture
import Platform

/// `streamscope FILE…`: a report on each capture.
enum AnalyzeCommand {
  static func run(_ arguments: [String], _ console: Console) async throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    let files = try command.operands(arguments, into: &options, console) { (options, files) throws(UsageError) in
      try options.check(files)
    }
    guard let files else { return .success }
    // Only the first argument can name a command.
    if let word = files.first, word == arguments.first, word != "-", FileStatus(of: word) == nil,
      let near = CommandLine.program.nearestCommand(to: word)
    {
      throw Stop("\(word): no such file; did you mean the command \(near)?")
    }
    if let folder = options.follow { return try await follow(folder, options, console) }
    return try await run(try CaptureFiles.all(files, options, "streamscope"), options, console)
  }

  /// A report on what a recorder writes into a folder, until Ctrl-C.
  private static func follow(
    _ folder: String, _ options: AnalyzeOptions, _ console: Console
  ) async throws(Stop) -> ExitCode {
    guard FileStatus(of: folder)?.kind == .folder else { throw Stop("--follow \(folder): no such folder") }
    LiveSignals.installEnds()
    if options.outputs.contains(where: \.isLog) { ReopenRequest.offer() }
    var options = options
    options.view = .live
    try options.readThresholds(console)
    let selection = try options.itemSelection()
    let assertions = try options.checkedAssertions()
    let keyLog = try options.keylog.map { (path) throws(Stop) in try KeyLogFile(path: path) } ?? KeyLogFile(console)
    var destinations = try Destination.all(options, console, isSeveral: false, rotation: options.live.rotation)
    if !options.isQuiet { try console.say("following \(folder); Ctrl-C ends it") }
    let run = AnalyzeRun(
      files: [folder], options: options, selection: selection, assertions: assertions, keyLog: keyLog, console: console)
    let code = try await run.report(to: &destinations) { _ in }
    for at in destinations.indices { try destinations[at].commit() }
    return code
  }

  /// A report on each file, or on all of them as one rotated capture.
  static func run(
    _ files: [String], _ options: AnalyzeOptions, _ console: Console, shownAs name: String? = nil
  ) async throws(Stop) -> ExitCode {
    var options = options
    if files.count == 1 { (options.isSeries, options.isPoints) = (false, false) }
    try options.readThresholds(console)
    let selection = try options.itemSelection()
    let assertions = try options.checkedAssertions()
    let keyLog = try options.keylog.map { (path) throws(Stop) in try KeyLogFile(path: path) } ?? KeyLogFile(console)
    var points: PointAlignment?
    if options.isPoints {
      points = try await PointAlignment.of(files, options, keyLog, console)
      guard points != nil else { return .interrupted }
    }
    var destinations = try Destination.all(options, console, isSeveral: files.count > 1 && !options.isOneCapture)
    var code = ExitCode.success
    var recorder = RecorderHint()
    let groups = options.isOneCapture ? [files] : files.map { [$0] }
    var isAnyRead = false
    for (turn, group) in groups.enumerated() {
      let run = AnalyzeRun(
        files: group, points: points, turn: turn, shownName: name, options: options, selection: selection,
        assertions: assertions, keyLog: keyLog, console: console, isLast: turn == groups.count - 1)
      do throws(Stop) {
        let result = try await run.report(to: &destinations) { step in
          if case .read(let summary) = step { recorder.add(summary) }
        }
        isAnyRead = true
        code = code.worse(result)
        if code == .interrupted { break }
      } catch {
        // The others are reported all the same.
        guard let reason = error.reason else { throw error }
        try run.tell(reason, to: &destinations)
        try console.say(error)
        code = code.worse(.failure)
      }
    }
    guard isAnyRead else {
      for at in destinations.indices { try destinations[at].abandon() }
      return code
    }
    for at in destinations.indices { try destinations[at].commit() }
    if let hint = recorder.hint { try console.say(hint) }
    return code
  }
}

extension AnalyzeOptions {
  /// Several files are read as one capture.
  var isOneCapture: Bool { isSeries || isPoints }

  /// Checks that concern several flags.
  func check(_ files: [String]) throws(UsageError) {
    try OutputRequest.check(outputs)
    if files.filter({ $0 == "-" }).count > 1 { throw UsageError("standard input can be read only once") }
    if isPoints {
      if isSeries { throw UsageError("--series is one point, and --points are several") }
      if files.count > CapturePoints.limit { throw UsageError("--points reads up to \(CapturePoints.limit) captures") }
      if files.contains("-") { throw UsageError("--points reads each capture twice, and standard input cannot be") }
    }
    guard follow != nil else { return }
    if !files.isEmpty || !filesFrom.isEmpty {
      throw UsageError("--follow names the folder; no other captures are read")
    }
    if extract != nil { throw UsageError("--extract reads captures twice, and --follow does not keep them") }
  }
}

extension ExitCode {
  fileprivate func worse(_ other: ExitCode) -> ExitCode { rawValue >= other.rawValue ? self : other }
}

import Arguments
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
    return try await run(try CaptureFiles.all(files, options, "streamscope"), options, console)
  }

  /// A report on each file, or on all of them as one rotated capture.
  static func run(
    _ files: [String], _ options: AnalyzeOptions, _ console: Console, shownAs name: String? = nil
  ) async throws(Stop) -> ExitCode {
    var options = options
    if files.count == 1 { options.isSeries = false }
    let selection = try options.itemSelection()
    let assertions = try options.checkedAssertions()
    let keyLog = try options.keylog.map { (path) throws(Stop) in try KeyLogFile(path: path) } ?? KeyLogFile(console)
    var destinations = try Destination.all(options, console, isSeveral: files.count > 1 && !options.isSeries)
    var code = ExitCode.success
    var recorder = RecorderHint()
    let groups = options.isSeries ? [files] : files.map { [$0] }
    var isAnyRead = false
    for group in groups {
      let run = AnalyzeRun(
        files: group, shownName: name, options: options, selection: selection, assertions: assertions,
        keyLog: keyLog, console: console)
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
  /// Checks that concern several flags.
  func check(_ files: [String]) throws(UsageError) {
    try OutputRequest.check(outputs)
    if files.filter({ $0 == "-" }).count > 1 { throw UsageError("standard input can be read only once") }
  }
}

extension ExitCode {
  fileprivate func worse(_ other: ExitCode) -> ExitCode { rawValue >= other.rawValue ? self : other }
}

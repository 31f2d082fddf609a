import Arguments

/// `streamscope FILE…`: a report on each capture.
enum AnalyzeCommand {
  static func run(_ arguments: [String], _ console: Console) async throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    let files = try command.operands(arguments, into: &options, console) { (options, files) throws(UsageError) in
      try options.check(files)
    }
    guard let files else { return .success }
    guard !files.isEmpty else { throw Stop("no capture given; see 'streamscope --help'") }
    return try await run(files, options, console)
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
    let groups = options.isSeries ? [files] : files.map { [$0] }
    for (index, group) in groups.enumerated() {
      let run = AnalyzeRun(
        files: group, shownName: name, options: options, selection: selection, assertions: assertions,
        keyLog: keyLog, console: console)
      let result = try await run.report(to: &destinations, isFirst: index == 0) { _ in }
      code = code.worse(result)
      if code == .interrupted { break }
    }
    for at in destinations.indices { try destinations[at].commit() }
    return code
  }
}

extension AnalyzeOptions {
  /// Checks that concern several flags.
  func check(_ files: [String]) throws(UsageError) {
    try OutputRequest.check(outputs)
    if files.filter({ $0 == "-" }).count > 1 { throw UsageError("standard input can be read only once") }
    if extract != nil, files.contains("-") {
      throw UsageError(
        "--extract reads the capture twice, and standard input cannot be", hint: "save it to a file first")
    }
    if extract != nil, files.count > 1 { throw UsageError("--extract takes one capture") }
  }
}

extension ExitCode {
  fileprivate func worse(_ other: ExitCode) -> ExitCode { rawValue >= other.rawValue ? self : other }
}

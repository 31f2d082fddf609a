import Arguments
import Citation
import Engine
import Events
import Platform
import Queries
import Reports

/// `streamscope check FILE…`: the verdict on captures, for continuous integration.
enum CheckCommand {
  private static let verdict = "Verdict"

  static let command = Command<AnalyzeOptions>(
    "check", summary: "check captures in continuous integration", synopsis: ["[OPTION]... FILE..."],
    details: [
      """
      Analyses every capture. If nothing is wrong it prints one line; otherwise the findings, by capture. It exits with 1 \
      for a diagnosis of warning or error, and for lint of a rule that was selected. A capture without streams is a \
      finding itself (capture/nothing-to-check): a warning if nothing in it could be read, a note if it holds only \
      complete messages.
      """,
      """
      If a file cannot be read, the others are still checked, and the exit code is 2. The configuration is read from \
      .streamscope.json5; see streamscope config. A baseline identifies a finding by rule, method, host and path, not by \
      ports, times or packets.
      """,
      CaptureFiles.help,
    ],
    flags: AnalyzeCommand.flags([
      "output", "json", "filter", "keylog", "connection", "where", "from", "to", "select", "only", "ignore", "assert",
      "series", "files-from", "config", "isolated",
      "no-redact", "color", "items", "sarif-profile", "label", "salt-file", "jobs", "memory", "quiet",
    ]) + own,
    examples: [
      Example("streamscope check recorded/*.pcapng", "One line, or the findings."),
      Example("streamscope check --baseline known.json run.pcap", "Only what is new fails."),
      Example("streamscope check -o junit=report.xml -o text run.pcap", "The same, with a report for the CI server."),
    ])

  private static let own: [Flag<AnalyzeOptions>] = [
    Flag(
      "fail-on", nil, "LEVEL",
      help: "Exit with 1 on a finding of this severity or worse; default warning. incomplete and empty "
        + "also fail on such captures; never fails only on files that cannot be read.",
      group: verdict, values: ["error", "warning", "note", "incomplete", "empty", "never"]
    ) { (options, text) throws(UsageError) in options.check.failOn = FailOn(rawValue: text) },
    Flag(
      "baseline", nil, "FILE",
      help: "Findings listed in this file do not fail; those that no longer occur are reported.",
      group: verdict, values: .file
    ) { (options, text) throws(UsageError) in options.check.baseline = text },
    Flag(
      "write-baseline", nil, "FILE", help: "Write the findings of this run as a baseline.", group: verdict,
      values: .file
    ) { (options, text) throws(UsageError) in options.check.writtenBaseline = text },
  ]

  /// The flags shared with other commands.
  static func flags(_ names: Set<String>) -> [Flag<AnalyzeOptions>] { own.filter { names.contains($0.form.name) } }

  static func run(_ arguments: [String], _ console: Console) async throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    options.view = .check
    // A file that was not read cannot pass.
    let operands = try command.operands(arguments, into: &options, console) { (options, files) throws(UsageError) in
      try options.check(files)
    }
    guard let operands else { return .success }
    let files = try CaptureFiles.all(operands, options, "streamscope check")
    options.check.configuration = try ConfigurationFile.configuration(options.check, console)
    options.check.configuration.override(with: options)
    options.select = options.check.configuration.select.value
    options.ignore = options.check.configuration.ignore.value
    return try await run(files, options, console)
  }

  private static func run(
    _ files: [String], _ options: AnalyzeOptions, _ console: Console
  ) async throws(Stop) -> ExitCode {
    var options = options
    if files.count == 1 { options.isSeries = false }
    let selection = try options.itemSelection()
    let keyLog = try options.keylog.map { (path) throws(Stop) in try KeyLogFile(path: path) } ?? KeyLogFile(console)
    let assertions = try options.checkedAssertions()
    let review = FindingReview(
      options.check.configuration,
      baseline: try options.check.baseline.map { (path) throws(Stop) in try Baseline(reading: path) },
      isWritten: options.check.writtenBaseline != nil, today: .today)
    try warn(review.expired, console)
    var destinations = try Destination.all(options, console, isSeveral: files.count > 1 && !options.isSeries)
    var tally = CheckTally(options.check.policy)
    for (turn, group) in (options.isSeries ? [files] : files.map({ [$0] })).enumerated() {
      let run = AnalyzeRun(
        files: group, turn: turn, options: options, selection: selection, assertions: assertions, keyLog: keyLog,
        console: console,
        review: review)
      do throws(Stop) {
        if try await run.report(to: &destinations, &tally) == .interrupted { return .interrupted }
      } catch {
        // The others are checked all the same.
        guard let reason = error.reason else { throw error }
        tally.unreadable += 1
        try run.tell(reason, to: &destinations)
        try console.say(error)
      }
    }
    guard tally.captures > 0 else {
      for at in destinations.indices { try destinations[at].abandon() }
      return .failure
    }
    tally.known = review.knownCount
    tally.ignored = review.ignored
    // The findings of what was not read or not selected are unknown.
    let isAllRead = tally.unreadable == 0 && !Faults.haveOccurred(console)
    if isAllRead, !selection.isPartial { try warn(review.unneeded(options.check.baseline), console) }
    if let path = options.check.writtenBaseline {
      if isAllRead {
        try review.occurred.write(to: path)
      } else {
        let what = tally.unreadable == 0 ? "not everything was read" : "not all files were read"
        try warn(["\(path) is not written: \(what)"], console)
      }
    }
    let isShown = !(options.isQuiet && tally.isClean)
    for at in destinations.indices {
      if isShown { try destinations[at].conclude(tally.line) }
      try destinations[at].commit()
    }
    return tally.unreadable > 0 ? .failure : tally.isFailed ? .findings : .success
  }

  private static func warn(_ sentences: [String], _ console: Console) throws(Stop) {
    for words in sentences { try console.say("warning: \(words)") }
  }
}

extension ItemSelection {
  /// Only a part of a capture is selected.
  fileprivate var isPartial: Bool { isSifted || connection != nil }
}

extension CivilDate {
  /// In UTC.
  fileprivate static var today: CivilDate {
    CivilDate(daysSince1970: SystemClock.sinceEpoch.flooredQuotient(by: 86_400_000_000_000))
  }
}

import Arguments
import Comparison
import Engine
import Events
import Reports
import Rules

/// `streamscope compare A B`: the same traffic at two points, or two runs of the same thing.
enum CompareCommand {
  private static let choice = "Choosing"

  static let command = Command<AnalyzeOptions>(
    "compare", summary: "what differs between two captures", synopsis: ["[OPTION]... A B"],
    details: [
      """
      Compares two captures: the same traffic on both sides of a proxy, or at the client and at the server; or two runs, \
      such as yesterday and today, or a client that fails and one that works. Exchanges are matched by method and target, \
      in order, and by their content; WebSockets by their key. For two points it reports what was changed in between and \
      how long each piece took, on one clock; for two runs, which differences in the requests come with different \
      responses. A is the reference: with --fail-on, what is worse in B fails, and what a rule \
      found in it alone.
      """
    ],
    flags: AnalyzeCommand.flags([
      "output", "json", "filter", "keylog", "where", "from", "to", "lint", "no-redact", "color", "sarif-profile",
      "fail-on", "config", "isolated", "jobs", "memory", "quiet", "verbose",
    ]) + [
      Flag(
        "as", nil, "KIND",
        help: "Whether the captures show two points of the same traffic, or two runs; detected by default.",
        group: choice, values: ["points", "runs"]
      ) { (options, text) throws(UsageError) in options.relation = CaptureRelation.Kind(rawValue: text) }
    ],
    examples: [
      Example("streamscope compare client.pcap origin.pcap", "What the proxy between them did."),
      Example("streamscope compare works.pcap fails.pcap", "The first thing that the failing client does differently."),
      Example("streamscope compare --fail-on warning yesterday.pcap today.pcap", "Exit code 1 where today is worse."),
    ])

  static func run(_ arguments: [String], _ console: Console) async throws(Stop) -> ExitCode {
    var options = AnalyzeOptions()
    options.isDigested = true
    let files = try command.operands(arguments, into: &options, console) { (options, files) throws(UsageError) in
      try options.check(files)
    }
    guard let files else { return .success }
    try options.readThresholds(console)
    for output in options.outputs { try OutputRequest.checkComparison(output) }
    guard files.count == 2 else { throw Stop("compare takes two captures; see 'streamscope compare --help'") }
    return try await run(files, options, console)
  }

  private static func run(
    _ files: [String], _ options: AnalyzeOptions, _ console: Console
  ) async throws(Stop) -> ExitCode {
    let selection = try options.itemSelection()
    let keyLog = try options.keylog.map { (path) throws(Stop) in try KeyLogFile(path: path) } ?? KeyLogFile(console)
    var destinations = try ComparisonDestination.all(options, console)
    var recordings: [Recording] = []
    for (turn, file) in files.enumerated() {
      let run = AnalyzeRun(
        files: [file], turn: turn, options: options, selection: selection, keyLog: keyLog, console: console)
      recordings.append(try await run.recording())
      if Interruption.flag.isRaised { return .interrupted }
    }
    var comparison = ComparisonOptions()
    comparison.relation = options.relation
    comparison.thresholds = options.check.configuration.thresholdValues
    let record = Comparer(recordings[0], recordings[1], comparison).compare()
    // One salt, so that equal hidden values of both captures can be recognised.
    let start = files[0]
    let redaction = Redaction(isOn: options.isRedacted) { CaptureSalt.of(start) }
    let shown = redaction.withoutSecrets(record)
    for at in destinations.indices { try destinations[at].write(shown, redaction) }
    return record.isWorse(than: options.failOn) ? .findings : .success
  }
}

extension ComparisonRecord {
  /// Findings that are worse in B, or between two points; and, of two runs, what a rule found in B alone.
  fileprivate func isWorse(than level: FailOn) -> Bool {
    let least: Severity
    switch level {
    case .never: return false
    case .error: least = .error
    case .warning, .incomplete, .empty: least = .warning
    case .note: least = .note
    }
    if level == .incomplete, CompareSide.allCases.contains(where: { captures[$0].isIncomplete }) { return true }
    if level == .empty, CompareSide.allCases.contains(where: { captures[$0].isEmpty }) || pairs.isEmpty { return true }
    if relation.kind == .runs, foundAlone.b.contains(where: { $0.severity >= least }) { return true }
    return findings.contains { finding in
      (relation.kind == .points || finding.side != .a) && finding.shownSeverity >= least
    }
  }
}

import Arguments
import Events
import Platform
import Reports
import Rules

/// What makes a run end with exit code 1.
enum FailOn: String, CaseIterable, Sendable { case error, warning, note, incomplete, empty, never }

struct AnalyzeOptions: CommandOptions {
  /// How much of the analysis is shown.
  enum View { case report, messages, check, live }

  var common = CommonOptions()
  var view = View.report
  var outputs: [OutputRequest] = []
  var filter: String?
  var extract: String?
  var keylog: String?
  var connection: Int?
  /// As written; see SelectionOptions.
  var condition: String?
  var assertions: [String] = []
  var from: String?
  var to: String?
  var select: [String] = []
  var ignore: [String] = []
  var isSeries = false
  /// The files were recorded at the same time at several points.
  var isPoints = false
  /// A folder that a recorder is writing to, and how long a file that does not grow is awaited.
  var follow: String?
  var settle: Int64 = 2_000_000_000
  var labels: [(name: String, value: String)] = []
  /// A file whose bytes salt the hashes of redaction, instead of the capture's own.
  var saltFile: String?
  /// Where more names of captures are listed.
  var filesFrom: [String] = []
  var isDigested = false
  var itemLimit = DocumentBounds.standardItems
  var isLintShown = false
  var timeline = TextStyle.Timeline.short
  var clock = TextStyle.Clock.rel
  var sarifProfile = SARIFProfile.default
  var failOn = FailOn.never
  var check = CheckOptions()
  /// How two captures relate; nil to detect it.
  var relation: CaptureRelation.Kind?
  var live = LiveOptions()
  var jobs: Int?
  var usedJobs: Int { jobs ?? min(4, Program.cores) }
  /// nil where it was not said.
  var memory: Int?
  var isRedacted = true
  var color = ColorChoice.auto
  var isQuiet = false
  var isVerbose = false

  static let assertionLimit = 1_000

  enum ColorChoice: String, CaseIterable { case auto, always, never }

  var writesDocument: Bool { outputs.contains { $0.format.isDocument } }
  var documentMemory: DocumentMemory { DocumentMemory(memory ?? DocumentMemory.standard) }

  func documentBounds(_ format: OutputRequest.Format) -> DocumentBounds {
    var bounds = DocumentBounds(documentMemory)
    bounds.parts = format.parts
    bounds.items = itemLimit
    return bounds
  }
}

/// Options of check, and the configuration, of which other commands use the thresholds.
struct CheckOptions {
  /// nil by default.
  var failOn: FailOn?
  /// The file of --config.
  var config: String?
  var isIsolated = false
  var baseline: String?
  var writtenBaseline: String?
  /// From the file, overridden by flags.
  var configuration = Configuration()

  var policy: CheckPolicy { configuration.policy }
}

extension AnalyzeCommand {
  private static let choice = "Choosing"
  private static let form = "Output"
  private static let limits = "Limits"
  private static let ruleIDs = FlagValues.suggestions { Registry.all.map(\.id.text) }

  static let command = Command<AnalyzeOptions>(
    "analyze", summary: "report on captures", synopsis: ["[OPTION]... FILE..."],
    details: [
      """
      Reads captures (pcap or pcapng, also compressed with gzip or zstd; '-' is standard input), follows every TCP \
      connection, and reports what went wrong, with the packets that prove it.
      """,
      CaptureFiles.help,
    ],
    flags: flags,
    examples: [
      Example("streamscope capture.pcap", "The report on one screen."),
      Example("streamscope --connection 3 --timeline full capture.pcap", "Everything that happened on one connection."),
      Example(
        #"streamscope --where 'status == 5xx or wait > 1s and path like "/v1/*"' capture.pcap"#,
        "The exchanges that failed or were slow, with their connections and findings."),
      Example(
        "streamscope --assert 'p99(sse.gap) < 250ms' --assert 'count(streams) >= 1' capture.pcap",
        "Exit code 1 unless both pass."),
      Example(
        "streamscope -o json=result.json -o text capture.pcap.gz", "A report to read, and a document for programs."),
      Example("tcpdump -w - port 80 | streamscope -", "From another program's output."),
      Example(
        "streamscope --follow /var/captures -o ndjson=streams.ndjson",
        "What tcpdump -G or dumpcap -b writes there, as it is written."),
    ])

  /// The flags shared with other commands.
  static func flags(_ names: Set<String>) -> [Flag<AnalyzeOptions>] {
    flags.filter { names.contains($0.form.name) || $0.form.name == "help" }
  }

  private static let flags: [Flag<AnalyzeOptions>] = [
    Flag(
      "output", "o", "FORMAT[=FILE]", help: "Write a format, to a file or to standard output. May be repeated.",
      group: form, values: .suggestions { OutputRequest.Format.names }, common: true
    ) { (options, text) throws(UsageError) in options.outputs.append(try OutputRequest(text)) },
    Flag("json", help: "The same as --output json.", group: form, common: true) {
      $0.outputs.append(OutputRequest(format: .json))
    },
    Flag(
      "extract", nil, "FILE",
      help:
        "Write a pcapng with only the packets that findings cite, each with the finding as comment. It holds whole packets: secrets in them are not redacted.",
      group: form
    ) {
      (options, text) throws(UsageError) in options.extract = text
    },
    Flag("lint", help: "Show findings without a cost (lint), too.", group: form, common: true) {
      $0.isLintShown = true
    },
    Flag(
      "timeline", nil, "LENGTH", help: "How much of each connection's timeline to show.", group: form,
      values: ["full", "short", "none"]
    ) { (options, text) throws(UsageError) in
      options.timeline = try one(of: TextStyle.Timeline.self, text, "--timeline")
    },
    Flag(
      "time", nil, "FORM", help: "Show times since the first packet, since the line before, or as clock time.",
      group: form,
      values: ["rel", "delta", "utc", "epoch"]
    ) { (options, text) throws(UsageError) in options.clock = try one(of: TextStyle.Clock.self, text, "--time") },
    Flag(
      "items", nil, "N", help: "How many chunks, events and messages a document lists of each kind; default 200000.",
      group: form
    ) { (options, text) throws(UsageError) in
      guard let number = Int(text), number >= 0 else { throw UsageError("--items needs a number, not '\(text)'") }
      options.itemLimit = number
    },
    .sarifProfile(group: form) { $0.sarifProfile = $1 },
    Flag(
      "label", nil, "NAME=VALUE",
      help: "Label the results of this run in ndjson (first line), json, parquet and metrics. May be repeated.",
      group: form
    ) { (options, text) throws(UsageError) in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else { throw UsageError("--label needs NAME=VALUE, not '\(text)'") }
      options.labels.append((parts[0], parts[1]))
    },
    Flag(
      "salt-file", nil, "FILE",
      help: "Hash hidden values with this secret, so that equal values of several captures have equal hashes.",
      group: form,
      values: .file
    ) { (options, text) throws(UsageError) in options.saltFile = text },
    Flag("digest", help: "Add the SHA-256 of every reassembled stream.", group: form) { $0.isDigested = true },
    Flag("no-redact", help: "Show payload in files and pipes, too.", group: form) { $0.isRedacted = false },
    Flag("color", nil, "WHEN", help: "Colour the text report.", group: form, values: ["auto", "always", "never"]) {
      (options, text) throws(UsageError) in
      options.color = try one(of: AnalyzeOptions.ColorChoice.self, text, "--color")
    },
    Flag("quiet", "q", help: "Only the verdict and the findings.", group: form) { $0.isQuiet = true },
    Flag("verbose", "v", help: "Lint and full timelines.", group: form) { $0.isVerbose = true },

    Flag("filter", "f", "BPF", help: "Only packets that match a capture filter.", group: choice, common: true) {
      (options, text) throws(UsageError) in options.filter = text
    },
    Flag(
      "keylog", nil, "FILE", help: "Decrypt TLS with the secrets in this key log; default $SSLKEYLOGFILE.",
      group: choice, values: .file
    ) { (options, text) throws(UsageError) in options.keylog = text },
    Flag("connection", nil, "N", help: "Only the connection with this number.", group: choice, common: true) {
      (options, text) throws(UsageError) in options.connection = try positive(text, "--connection")
    },
    Flag(
      "where", nil, "CONDITION",
      help: "Only exchanges, connections and findings that match; see streamscope help conditions.",
      group: choice, common: true
    ) { (options, text) throws(UsageError) in options.condition = text },
    Flag(
      "assert", nil, "ASSERTION",
      help: "Fail unless a figure stays within a limit; see streamscope help conditions. May be repeated.",
      group: choice, common: true
    ) { (options, text) throws(UsageError) in
      guard options.assertions.count < AnalyzeOptions.assertionLimit else {
        throw UsageError("more than \(AnalyzeOptions.assertionLimit) assertions")
      }
      options.assertions.append(text)
    },
    Flag(
      "from", nil, "TIME",
      help: "Only what was still open at this time: 1.5, 90s or 1:30 after the first packet, "
        + "12:30:00 UTC on its day, or an RFC 3339 time.", group: choice
    ) { (options, text) throws(UsageError) in options.from = text },
    Flag("to", nil, "TIME", help: "Only what had started by this time.", group: choice) {
      (options, text) throws(UsageError) in options.to = text
    },
    Flag(
      "select", nil, "RULES", help: "Only rules whose ids start with this; separate several with commas.",
      group: choice,
      values: ruleIDs
    ) {
      (options, text) throws(UsageError) in options.select += try rules(text, "--select")
    },
    Flag("only", nil, "RULES", help: "The same as --select.", group: choice, values: ruleIDs) {
      (options, text) throws(UsageError) in options.select += try rules(text, "--only")
    },
    Flag("ignore", nil, "RULES", help: "Not the rules whose ids start with this.", group: choice, values: ruleIDs) {
      (options, text) throws(UsageError) in options.ignore += try rules(text, "--ignore")
    },
    Flag(
      "config", nil, "FILE",
      help: "The configuration, of which all commands use the thresholds; default .streamscope.json5 here or in the "
        + "nearest folder above.",
      group: choice, values: .file
    ) { (options, text) throws(UsageError) in options.check.config = text },
    Flag("isolated", help: "Use no configuration file.", group: choice) { $0.check.isIsolated = true },
    Flag(
      "series", help: "The files are one rotated capture; they are read in the order of their first packets.",
      group: choice
    ) { $0.isSeries = true },
    Flag(
      "points",
      help: "The files were recorded at the same time at several points (interfaces, hosts); they are read as one "
        + "capture, on the clock of the first.",
      group: choice
    ) { $0.isPoints = true },
    Flag(
      "follow", nil, "FOLDER",
      help: "Read the files of a recorder that is still writing, each when it is finished; Ctrl-C ends with the "
        + "report.",
      group: choice, values: .file
    ) { (options, text) throws(UsageError) in options.follow = text },
    Flag(
      "settle", nil, "TIME",
      help: "With --follow: a file is also finished when it has not grown this long, such as 500ms; default 2s.",
      group: choice
    ) { (options, text) throws(UsageError) in options.settle = try LiveOptions.time(text, "--settle") },
    Flag(
      "files-from", nil, "FILE",
      help: "More captures or folders, a name a line or ended by NUL, from a file or standard input (-).",
      group: choice, values: .file
    ) { (options, text) throws(UsageError) in options.filesFrom.append(text) },
    Flag(
      "fail-on", nil, "LEVEL",
      help: "Exit with 1 on a diagnosis of this severity or worse, or on an incomplete or empty capture.",
      group: choice, values: ["error", "warning", "note", "incomplete", "empty", "never"]
    ) { (options, text) throws(UsageError) in options.failOn = try one(of: FailOn.self, text, "--fail-on") },

    Flag(
      "frames",
      help: "Accepted and without effect: WebSocket frames are always read.",
      group: limits
    ) { _ in },
    Flag("jobs", "j", "N", help: "Use N cores; the output does not depend on it.", group: limits) {
      (options, text) throws(UsageError) in options.jobs = try positive(text, "--jobs")
    },
    Flag(
      "memory", nil, "SIZE", help: "Use no more than this, such as 256M; the report lists what was evicted.",
      group: limits
    ) {
      (options, text) throws(UsageError) in options.memory = try size(text)
    },
    Flag("version", "V", help: "Print the version and the libraries built in.", endsParsing: true) {
      $0.common.isVersion = true
    },
    .help,
  ]

  // MARK: Values

  private static func one<Choice: RawRepresentable & CaseIterable>(
    of: Choice.Type, _ text: String, _ flag: String
  ) throws(UsageError) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: text) else {
      let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(flag) is one of \(all), not '\(text)'")
    }
    return choice
  }

  private static func positive(_ text: String, _ flag: String) throws(UsageError) -> Int {
    guard let number = Int(text), number > 0 else {
      throw UsageError("\(flag) needs a positive number, not '\(text)'")
    }
    return number
  }

  private static func size(_ text: String) throws(UsageError) -> Int {
    let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = text.last.flatMap { units[Character($0.uppercased())] }
    guard let number = Int(unit == nil ? text : String(text.dropLast())), number > 0,
      case let (bytes, overflow) = number.multipliedReportingOverflow(by: unit ?? 1), !overflow, bytes >= 64 << 20
    else { throw UsageError("--memory needs a size of at least 64M, such as 256M, not '\(text)'") }
    return bytes
  }

  private static func rules(_ text: String, _ flag: String) throws(UsageError) -> [String] {
    let prefixes = text.split(separator: ",").map(String.init)
    guard !prefixes.isEmpty else { throw UsageError("\(flag) needs rule ids, such as tcp/") }
    for prefix in prefixes where !RuleCatalogue.has(prefix) {
      throw UsageError("\(flag): no rule id starts with '\(prefix)'", hint: "'streamscope rules' lists them")
    }
    return prefixes
  }
}

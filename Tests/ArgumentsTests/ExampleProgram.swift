import Arguments

struct ExampleOptions: Equatable {
  var isQuiet = false
  var verbosity = 0
  var jobs = 0
  var outputs: [String] = []
  var color = "auto"
  var keylog = ""
  var redacts = true
  var help: HelpDetail?
}

enum ExampleProgram {
  static let flags: [Flag<ExampleOptions>] = [
    .help { $0.help = $1 },
    Flag("quiet", "q", help: "Print nothing but errors.", common: true) { $0.isQuiet = true },
    Flag("verbose", "v", help: "Say more. Twice says even more.") { $0.verbosity += 1 },
    Flag("jobs", "j", "N", help: "Work on N cores.", group: "Resources") { (options, text) throws(UsageError) in
      guard let number = Int(text), number > 0 else {
        throw UsageError("--jobs needs a positive number, not '\(text)'")
      }
      options.jobs = number
    },
    Flag(
      "output", "o", "FORMAT[=FILE]",
      help: "Write a report in this format to FILE, or to standard output. May be given more than once.",
      group: "Output", values: .suggestions { ["text", "json", "ndjson"] }, common: true
    ) { (options, text) in options.outputs.append(text) },
    Flag("color", nil, "WHEN", help: "Color text.", group: "Output", values: ["auto", "always", "never"]) {
      (options, text) in options.color = text
    },
    Flag("keylog", nil, "FILE", help: "Decrypt with the secrets in FILE.", values: .file) { (options, text) in
      options.keylog = text
    },
    Flag("no-redact", help: "Show what's secret: 100% [raw].", group: "Output") { $0.redacts = false },
    Flag("internal", "I", help: "For developers.", hidden: true) { $0.verbosity = 99 },
  ]

  static let report = Command(
    "report", summary: "report on captures", synopsis: ["FILE…"], details: ["Reads captures and says what hurt."],
    flags: flags, examples: [Example("example a.pcap", "Reports on one capture.")])
  static let check = Command(
    "check", summary: "the verdict for CI", synopsis: ["FILE…", "--all"],
    flags: Array(flags.prefix(3)), examples: [Example("example check -q 'a b.pcap'", "Says nothing when all is well.")],
    operands: { ["tcp/loss", "ws/drop"] })
  static let program = Program(
    "example", summary: "what a capture says", defaultCommand: report.form, commands: [check.form],
    sections: [
      .init("Exit status", [.init("0", "Nothing was found."), .init("2", "The command line was wrong, or \\ so.")])
    ])
}

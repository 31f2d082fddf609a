import Arguments

/// The commands and their flags: the one table that parsing, help, completion and the man page read.
enum CommandLine {
  static let program = Program(
    "streamscope", summary: "find out from a packet capture why a stream was late, cut off, buffered or broken",
    defaultCommand: AnalyzeCommand.command.form,
    commands: [
      LiveCommand.command.form, CheckCommand.command.form, CompareCommand.command.form, ConfigCommand.command.form,
      MessagesCommand.command.form,
      ConvertCommand.command.form,
      RulesCommand.command.form, ExplainCommand.command.form, SchemaCommand.command.form, DemoCommand.command.form,
      CompletionsCommand.command.form, ManualCommand.command.form, HelpCommand.command.form,
    ],
    sections: [
      Program.Section(
        "More help", [.init("help conditions", "The language and the fields of --where, and the series of --assert.")]),
      Program.Section(
        "Environment",
        [
          .init("NO_COLOR", "If set and not empty, no colour, except with --color=always."),
          .init("SSLKEYLOGFILE", "The key log, unless --keylog names one."),
          .init("GITHUB_STEP_SUMMARY", "The file to which -o github appends a table."),
        ]),
      Program.Section(
        "Exit status",
        [
          .init("0", "Nothing at or above --fail-on."),
          .init("1", "Findings at or above --fail-on, a failed assertion or, with check, a failed capture."),
          .init("2", "Wrong usage, unreadable input, or output that could not be written."),
          .init("130", "Interrupted while reading."),
        ]),
    ],
    reference: ConditionHelp.sections + AssertionHelp.sections)
}

/// Requests besides running the command.
struct CommonOptions {
  var help: HelpDetail?
  var isVersion = false
}

extension CommonOptions {
  /// Answers --help and --version; false when neither was given.
  func answer(_ command: CommandForm, _ console: Console) throws(Stop) -> Bool {
    if let help {
      try console.output.print(Help(CommandLine.program, width: console.width ?? 80).text(of: command, help))
      return true
    }
    if isVersion {
      try console.output.print("streamscope \(App.version) (\(App.features.joined(separator: ", ")))\n")
      return true
    }
    return false
  }
}

import Arguments
import Events

/// `streamscope completions SHELL`: a script that completes its command line.
enum CompletionsCommand {
  static let command = Command<PlainOptions>(
    "completions", summary: "print a completion script for a shell", synopsis: ["bash|zsh|fish"],
    flags: [.help],
    examples: [
      Example("source <(streamscope completions bash)", "Use it in this shell."),
      Example("streamscope completions fish >~/.config/fish/completions/streamscope.fish", "Install it."),
    ], operands: { Shell.allCases.map(\.rawValue) })

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = PlainOptions()
    guard let operands = try command.operands(arguments, into: &options, console) else { return .success }
    guard operands.count == 1, let shell = Shell(rawValue: operands[0]) else {
      throw Stop("completions needs a shell: bash, zsh or fish")
    }
    try console.output.print(CommandLine.program.completion(for: shell))
    return .success
  }
}

/// `streamscope man`: the manual page.
enum ManualCommand {
  /// The date of the last change of meaning.
  private static let date = "November 22, 2026"

  static let command = Command<PlainOptions>(
    "man", summary: "print the manual page, for man or mandoc", synopsis: [""], flags: [.help],
    examples: [
      Example("streamscope man | man -l -", "Read it."),
      Example("streamscope man >/usr/local/share/man/man1/streamscope.1", "Install it."),
    ])

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = PlainOptions()
    let operands = try command.operands(arguments, into: &options, console) { (_, operands) throws(UsageError) in
      guard operands.isEmpty else { throw UsageError("man takes no operand") }
    }
    guard operands != nil else { return .success }
    try console.output.print(ManualPage(CommandLine.program, date: date).text)
    return .success
  }
}

/// `streamscope help [COMMAND]`: the same as --help; `help conditions` is the language of --where and --assert.
enum HelpCommand {
  static let command = Command<PlainOptions>(
    "help", summary: "print the help of the program or of one command", synopsis: ["[COMMAND | conditions]"],
    flags: [.help],
    examples: [
      Example("streamscope help check", "All options of check."),
      Example("streamscope help conditions", "What --where and --assert understand."),
    ])

  /// The one page that is not a command's.
  private static let conditions = "conditions"

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = PlainOptions()
    let program = CommandLine.program
    let operands = try command.operands(arguments, into: &options, console) { (_, operands) throws(UsageError) in
      guard operands.count <= 1 else { throw UsageError("help takes the name of one command") }
      if let name = operands.first, name != conditions, program.command(named: name) == nil {
        throw UsageError(
          "no command '\(name)'", hint: program.nearestCommand(to: name).map { "did you mean \($0)?" })
      }
    }
    guard let operands else { return .success }
    if operands.first == conditions {
      try console.output.print(Help(program, width: console.width ?? 80).reference)
      return .success
    }
    let asked = operands.first.flatMap { program.command(named: $0) } ?? program.defaultCommand
    try console.output.print(Help(program, width: console.width ?? 80).text(of: asked, .full))
    return .success
  }
}

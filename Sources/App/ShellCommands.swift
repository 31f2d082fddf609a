import Arguments
import Events

/// `streamscope completions SHELL`: a script that completes its command line.
enum CompletionsCommand {
  struct Options { var common = CommonOptions() }

  static let command = Command<Options>(
    "completions", summary: "a completion script for a shell", synopsis: ["bash|zsh|fish"],
    flags: [Flag.help { $0.common.help = $1 }],
    examples: [
      Example("source <(streamscope completions bash)", "For this shell."),
      Example("streamscope completions fish >~/.config/fish/completions/streamscope.fish", "For good."),
    ])

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = Options()
    let operands: [String]
    do throws(UsageError) { operands = try command.parse(arguments, into: &options) } catch {
      throw Stop(error, command.form)
    }
    if let code = try options.common.answer(command.form, console) { return code }
    guard operands.count == 1, let shell = Shell(rawValue: operands[0]) else {
      throw Stop("completions needs a shell: bash, zsh or fish")
    }
    try console.output.print(CommandLine.program.completion(for: shell))
    return .success
  }
}

/// `streamscope man`: the manual page.
enum ManualCommand {
  struct Options { var common = CommonOptions() }

  /// When the page's text last changed its meaning.
  private static let date = "November 22, 2026"

  static let command = Command<Options>(
    "man", summary: "the manual page, for man or mandoc", synopsis: [""], flags: [Flag.help { $0.common.help = $1 }],
    examples: [
      Example("streamscope man | man -l -", "To read it."),
      Example("streamscope man >/usr/local/share/man/man1/streamscope.1", "To keep it."),
    ])

  static func run(_ arguments: [String], _ console: Console) throws(Stop) -> ExitCode {
    var options = Options()
    do throws(UsageError) {
      guard try command.parse(arguments, into: &options).isEmpty else { throw UsageError("man takes no operand") }
    } catch {
      throw Stop(error, command.form)
    }
    if let code = try options.common.answer(command.form, console) { return code }
    try console.output.print(ManualPage(CommandLine.program, date: date).text)
    return .success
  }
}

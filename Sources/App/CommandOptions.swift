import Arguments

/// What one command can be asked; --help among it.
protocol CommandOptions: Sendable {
  var common: CommonOptions { get set }
}

/// Those of a command that can be asked nothing else.
struct PlainOptions: CommandOptions {
  var common = CommonOptions()
}

extension Flag where Options: CommandOptions {
  static var help: Flag { .help { $0.common.help = $1 } }
}

extension Command where Options: CommandOptions {
  /// The operands; nil where --help or --version was asked, and is answered. `check` sees what no single flag can; it
  /// comes before the answer, so that a mistake is said to those who ask for help, too.
  func operands(
    _ arguments: [String], into options: inout Options, _ console: Console,
    check: (Options, [String]) throws(UsageError) -> Void = { (_, _) throws(UsageError) in }
  ) throws(Stop) -> [String]? {
    let operands: [String]
    do throws(UsageError) {
      operands = try parse(arguments, into: &options)
      try check(options, operands)
    } catch {
      throw Stop(error, form)
    }
    return try options.common.answer(form, console) ? nil : operands
  }
}

import Arguments

/// The options of one command, --help among them.
protocol CommandOptions: Sendable {
  var common: CommonOptions { get set }
}

/// The options of a command that has no others.
struct PlainOptions: CommandOptions {
  var common = CommonOptions()
}

extension Flag where Options: CommandOptions {
  static var help: Flag { .help { $0.common.help = $1 } }
}

extension Command where Options: CommandOptions {
  /// The operands; nil after --help or --version was answered. `check` validates flags together, before help is printed, so
  /// that mistakes are reported even then.
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

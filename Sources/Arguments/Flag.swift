/// How a flag is written and what it is for: all that help, completion and man page need.
package struct FlagForm: Sendable {
  /// Without dashes: "jobs". A flag that switches something off is declared under that name: "no-redact".
  package var name: String
  package var short: Character?
  /// What stands for the value in help; a flag without one takes no value.
  package var placeholder: String?
  /// Whole sentences; the first one must stand alone, because the short help shows only that.
  package var help: String
  /// The heading it is listed under.
  package var group: String
  package var values: FlagValues
  /// Whether the short help names it.
  package var isCommon: Bool
  /// Accepted, but neither listed nor suggested.
  package var isHidden: Bool

  package static let defaultGroup = "Options"

  /// "--jobs": how errors name it.
  package var spelling: String { "--" + name }
}

/// What the value of a flag may be.
package enum FlagValues: Sendable {
  case anything
  case file
  case directory
  /// One of these and nothing else; the parser checks it.
  case oneOf([String])
  /// Completion offers these, asked for them; the flag's effect decides what else it accepts.
  case suggestions(@Sendable () -> [String])
}

extension FlagValues: ExpressibleByArrayLiteral {
  package init(arrayLiteral elements: String...) {
    self = .oneOf(elements)
  }
}

/// An entry of the table: how a flag is written, and what it does.
package struct Flag<Options>: Sendable {
  package typealias Effect = @Sendable (inout Options, _ text: String) throws(UsageError) -> Void

  package var form: FlagForm
  /// Arguments after this flag are not looked at, so that `--help` answers whatever else is on the line.
  package var endsParsing: Bool
  /// Gets the value; for a flag without one, the spelling that was used.
  package var effect: Effect

  private init(_ form: FlagForm, endsParsing: Bool, _ effect: @escaping Effect) {
    self.form = form
    self.endsParsing = endsParsing
    self.effect = effect
  }

  /// A flag with a value.
  package init(
    _ name: String, _ short: Character?, _ placeholder: String, help: String, group: String = FlagForm.defaultGroup,
    values: FlagValues = .anything, common: Bool = false, hidden: Bool = false, _ effect: @escaping Effect
  ) {
    let form = FlagForm(
      name: name, short: short, placeholder: placeholder, help: help, group: group, values: values, isCommon: common,
      isHidden: hidden)
    self.init(form, endsParsing: false, effect)
  }

  /// A flag that is there or not.
  package init(
    _ name: String, _ short: Character? = nil, help: String, group: String = FlagForm.defaultGroup,
    common: Bool = false, hidden: Bool = false, endsParsing: Bool = false,
    _ effect: @escaping @Sendable (inout Options) -> Void
  ) {
    let form = FlagForm(
      name: name, short: short, placeholder: nil, help: help, group: group, values: .anything, isCommon: common,
      isHidden: hidden)
    self.init(form, endsParsing: endsParsing) { (options, _) in effect(&options) }
  }

  /// `-h` for the short help and `--help` for all of it.
  package static func help(
    group: String = FlagForm.defaultGroup, _ effect: @escaping @Sendable (inout Options, HelpDetail) -> Void
  ) -> Flag {
    let form = FlagForm(
      name: "help", short: "h", placeholder: nil, help: "Show help; -h only for the common options.",
      group: group, values: .anything, isCommon: true, isHidden: false)
    return Flag(form, endsParsing: true) { (options, spelling) in effect(&options, spelling == "-h" ? .short : .full) }
  }
}

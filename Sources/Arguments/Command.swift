/// What one command takes: the part of the program's table that parses.
package struct Command<Options>: Sendable {
  package var form: CommandForm
  package var flags: [Flag<Options>]

  /// - Parameter synopsis: What follows the command's name, one line for each way to call it: "FILE…".
  package init(
    _ name: String, summary: String, synopsis: [String], details: [String] = [], flags: [Flag<Options>],
    examples: [Example] = [], operands: @escaping @Sendable () -> [String] = { [] }
  ) {
    self.form = CommandForm(
      name: name, summary: summary, synopsis: synopsis, details: details, flags: flags.map(\.form), examples: examples,
      makeOperands: operands)
    self.flags = flags
  }

  /// Applies the flags and returns the operands; `arguments` start after the command's name.
  package func parse(_ arguments: [String], into options: inout Options) throws(UsageError) -> [String] {
    try flags.parse(arguments, into: &options)
  }
}

/// How a command is called and explained.
package struct CommandForm: Sendable {
  package var name: String
  /// One line without a full stop.
  package var summary: String
  package var synopsis: [String]
  /// Paragraphs that the full help and the man page add.
  package var details: [String]
  package var flags: [FlagForm]
  package var examples: [Example]
  /// What completion offers as operands, asked for it; files, if there is nothing here.
  package var operands: [String] { makeOperands() }
  let makeOperands: @Sendable () -> [String]

  package var listedFlags: [FlagForm] { flags.filter { !$0.isHidden } }

  /// The flags people see, under their headings, in the order in which the table first names each heading.
  package var groups: [(title: String, flags: [FlagForm])] {
    var groups: [(title: String, flags: [FlagForm])] = []
    for flag in listedFlags {
      if let index = groups.firstIndex(where: { $0.title == flag.group }) {
        groups[index].flags.append(flag)
      } else {
        groups.append((flag.group, [flag]))
      }
    }
    return groups
  }
}

/// A line to try, and what it does.
package struct Example: Hashable, Sendable {
  package var line: String
  package var meaning: String

  package init(_ line: String, _ meaning: String) {
    self.line = line
    self.meaning = meaning
  }
}

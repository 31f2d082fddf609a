/// The commands together. One of them needs no word: operands without a command are its operands.
package struct Program: Sendable {
  package var name: String
  /// One line without a full stop.
  package var summary: String
  package var defaultCommand: CommandForm
  /// The commands that are called by their name.
  package var commands: [CommandForm]
  /// Further sections of the full help and the man page: exit status, environment, files.
  package var sections: [Section]
  /// Longer sections, for the man page and a page of help of their own; made when they are asked for, since every run
  /// builds the program.
  package var reference: [Section] { makeReference() }
  private let makeReference: @Sendable () -> [Section]

  package init(
    _ name: String, summary: String, defaultCommand: CommandForm, commands: [CommandForm], sections: [Section] = [],
    reference: @autoclosure @escaping @Sendable () -> [Section] = []
  ) {
    self.name = name
    self.summary = summary
    self.defaultCommand = defaultCommand
    self.commands = commands
    self.sections = sections
    makeReference = reference
  }

  /// A heading with terms and what they mean.
  package struct Section: Hashable, Sendable {
    package var title: String
    package var entries: [Entry]

    package init(_ title: String, _ entries: [Entry]) {
      self.title = title
      self.entries = entries
    }

    package struct Entry: Hashable, Sendable {
      package var term: String
      package var meaning: String

      package init(_ term: String, _ meaning: String) {
        self.term = term
        self.meaning = meaning
      }
    }
  }

  /// The command that `arguments` (without the program's name) ask for, and what is left for it.
  ///
  /// Only the first argument can name a command, so a file of that name can be given as "./check", or after an option.
  package func select(_ arguments: [String]) -> (command: CommandForm, arguments: [String]) {
    guard let word = arguments.first, let command = command(named: word) else { return (defaultCommand, arguments) }
    return (command, Array(arguments.dropFirst()))
  }

  package func command(named name: String) -> CommandForm? {
    name == defaultCommand.name ? defaultCommand : commands.first { $0.name == name }
  }

  /// The command that was probably meant by an operand that turned out not to be a file.
  package func nearestCommand(to word: String) -> String? {
    nearestWord(to: word, among: commands.map(\.name))
  }

  /// "streamscope check", or the program's name alone.
  package func invocation(of command: CommandForm) -> String {
    command.name == defaultCommand.name ? name : "\(name) \(command.name)"
  }
}

extension Program {
  /// What is wrong with the table itself, for a test of it: names that clash, entries without help.
  package var defects: [String] {
    var defects: [String] = []
    var commandNames: Set<String> = []
    for command in [defaultCommand] + commands {
      if !commandNames.insert(command.name).inserted { defects.append("two commands \(command.name)") }
      if command.summary.isEmpty { defects.append("\(command.name) has no summary") }
      if command.synopsis.isEmpty { defects.append("\(command.name) has no synopsis") }
      var spellings: Set<String> = []
      for flag in command.flags {
        let name = "\(command.name) \(flag.spelling)"
        if !flag.hasPlainName { defects.append("\(name) is not a plain name") }
        if flag.help.last != "." { defects.append("\(name) needs a help of whole sentences") }
        if !spellings.insert(flag.spelling).inserted { defects.append("\(name) is there twice") }
        if let short = flag.short, !spellings.insert("-\(short)").inserted {
          defects.append("\(name) shares -\(short)")
        }
      }
    }
    return defects
  }
}

extension FlagForm {
  /// Letters, digits and dashes: a name that every shell passes on as it is.
  fileprivate var hasPlainName: Bool {
    let isPlain = { (byte: UInt8) in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let startsPlain = name.utf8.first.map(isPlain) ?? false
    let letterIsPlain = short.map { $0.isASCII && ($0.isLetter || $0.isNumber) } ?? true
    return startsPlain && letterIsPlain && name.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "-") }
  }
}

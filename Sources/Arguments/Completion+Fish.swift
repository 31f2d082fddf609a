extension Program {
  var fishCompletion: String {
    let names = commands.map(\.name).joined(separator: " ")
    let isDefault = commands.isEmpty ? nil : "not __fish_seen_subcommand_from \(names)"
    var lines = ["# fish completion for \(name)"]
    for command in commands {
      let words = ["complete -c \(name) -n __fish_use_subcommand -a", command.name, "-d", command.summary.fishQuoted]
      lines.append(words.joined(separator: " "))
    }
    lines += fishLines(of: defaultCommand, when: isDefault)
    for command in commands { lines += fishLines(of: command, when: "__fish_seen_subcommand_from \(command.name)") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func fishLines(of command: CommandForm, when condition: String?) -> [String] {
    var lines: [String] = []
    if let condition, !command.operands.isEmpty {
      let words = command.operands.joined(separator: " ").fishQuoted
      lines.append("complete -c \(name) -n \(condition.fishQuoted) -f -a \(words)")
    }
    lines += command.listedFlags.map { flag in
      var line = "complete -c \(name)"
      if let condition { line += " -n \(condition.fishQuoted)" }
      if let short = flag.short { line += " -s \(short)" }
      line += " -l \(flag.name)"
      if flag.placeholder != nil {
        switch flag.values {
        case .file: line += " -r -F"
        case .directory: line += " -x -a '(__fish_complete_directories)'"
        case .anything: line += " -x"
        case .oneOf, .suggestions: line += " -x -a \(flag.words.joined(separator: " ").fishQuoted)"
        }
      }
      return line + " -d \(flag.firstSentence.fishQuoted)"
    }
    return lines
  }
}

extension String {
  /// Between single quotes fish has two escapes: of the quote and of the backslash.
  fileprivate var fishQuoted: String {
    "'" + String(flatMap { "\\'".contains($0) ? ["\\", $0] : [$0] }) + "'"
  }
}

extension Program {
  /// Bash breaks words at "=", so `--color=al` reaches the function as three words and is put together again first.
  var bashCompletion: String {
    var lines = [
      "# bash completion for \(name)",
      "\(completionFunction)() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= flags= values=",
      "  local operands=",
      "  if [[ $current == '=' ]]; then",
      "    current=",
      "  elif [[ $previous == '=' ]]; then",
      "    previous=${COMP_WORDS[COMP_CWORD-2]}",
      "  fi",
      "  (( COMP_CWORD > 1 )) && command=${COMP_WORDS[1]}",
      "  COMPREPLY=()",
      "  case $command in",
    ]
    for command in commands { lines += bashCase(of: command, pattern: command.name.shellQuoted) }
    lines += bashCase(of: defaultCommand, pattern: "*")
    lines += [
      "  esac",
      "  if [[ -n $values ]]; then",
      "    mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")",
      "  elif [[ $current == -* ]]; then",
      "    mapfile -t COMPREPLY < <(compgen -W \"$flags\" -- \"$current\")",
      "  elif [[ -n $operands ]]; then",
      "    mapfile -t COMPREPLY < <(compgen -W \"$operands\" -- \"$current\")",
      "  elif (( COMP_CWORD == 1 )); then",
      "    mapfile -t COMPREPLY < <(compgen -W \(commandWords) -- \"$current\"; compgen -f -- \"$current\")",
      "    compopt -o filenames 2>/dev/null",
      "  fi",
      "}",
      "complete -o default -F \(completionFunction) \(name)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private var commandWords: String { commands.map(\.name).joined(separator: " ").shellQuoted }

  /// The flags of a command, and the values of the flag before the cursor. An empty answer makes bash offer files.
  private func bashCase(of command: CommandForm, pattern: String) -> [String] {
    let flags = command.listedFlags
    let spellings = flags.flatMap { flag in [flag.spelling] + (flag.short.map { ["-\($0)"] } ?? []) }
    var lines = ["    \(pattern))", "      flags=\(spellings.joined(separator: " ").shellQuoted)"]
    if !command.operands.isEmpty {
      lines.append("      operands=\(command.operands.joined(separator: " ").shellQuoted)")
    }
    let limited = flags.filter { !$0.words.isEmpty }
    if !limited.isEmpty {
      lines.append("      case $previous in")
      for flag in limited {
        let spelled = ([flag.spelling] + (flag.short.map { ["-\($0)"] } ?? [])).joined(separator: "|")
        lines.append("        \(spelled)) values=\(flag.words.joined(separator: " ").shellQuoted) ;;")
      }
      lines.append("      esac")
    }
    return lines + ["      ;;"]
  }
}

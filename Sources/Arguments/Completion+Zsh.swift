extension Program {
  var zshCompletion: String {
    var lines = [
      "#compdef \(name)",
      "\(completionFunction)() {",
      "  local -a commands",
      "  commands=(",
    ]
    lines += commands.map { "    \("\($0.name.zshEscaped):\($0.summary)".shellQuoted)" }
    lines += [
      "  )",
      "  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then",
      "    _describe -t commands command commands",
      "    _files",
      "    return",
      "  fi",
      "  case $words[2] in",
    ]
    for command in commands { lines += zshCase(of: command, pattern: command.name.shellQuoted, skipsWord: true) }
    lines += zshCase(of: defaultCommand, pattern: "*", skipsWord: false)
    lines += [
      "  esac",
      "}",
      // Sourced by hand it is registered; found in $fpath it is called by the completion that loads it.
      "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then",
      "  \(completionFunction) \"$@\"",
      "else",
      "  compdef \(completionFunction) \(name)",
      "fi",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  private func zshCase(of command: CommandForm, pattern: String, skipsWord: Bool) -> [String] {
    var lines = ["    \(pattern))"]
    if skipsWord { lines += ["      shift words", "      (( CURRENT-- ))"] }
    lines.append("      _arguments -s -S \\")
    lines += command.listedFlags.flatMap(\.zshSpecifications).map { "        \($0.shellQuoted) \\" }
    let words = command.operands.map(\.zshEscaped).joined(separator: " ")
    let operands = words.isEmpty ? "*:file:_files" : "*:word:(\(words))"
    return lines + ["        \(operands.shellQuoted)", "      ;;"]
  }
}

extension FlagForm {
  /// One specification for each spelling: "*" because any flag may be repeated, "+" and "=" because a value may be
  /// joined.
  fileprivate var zshSpecifications: [String] {
    let explanation = "[\(firstSentence.zshEscaped)]"
    guard let placeholder else {
      return ["*\(spelling)\(explanation)"] + (short.map { ["*-\($0)\(explanation)"] } ?? [])
    }
    let action =
      switch values {
      case .file: "_files"
      case .directory: "_files -/"
      case .anything: " "
      case .oneOf, .suggestions: "(" + words.map(\.zshEscaped).joined(separator: " ") + ")"
      }
    let value = "\(explanation):\(placeholder.zshMessage):\(action)"
    return ["*\(spelling)=\(value)"] + (short.map { ["*-\($0)+\(value)"] } ?? [])
  }
}

extension String {
  /// What stands between colons is shown as it is, but for the colon.
  fileprivate var zshMessage: String { String(flatMap { $0 == ":" ? ["\\", $0] : [$0] }) }

  fileprivate var zshEscaped: String {
    String(flatMap { "\\[]:()".contains($0) ? ["\\", $0] : [$0] })
  }
}

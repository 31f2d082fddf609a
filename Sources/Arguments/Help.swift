/// `-h` fits on a screen; `--help` has everything.
package enum HelpDetail: Hashable, Sendable {
  case short, full
}

/// The help of a program's commands as text for a terminal of a given width.
package struct Help: Sendable {
  private static let narrowest = 40
  /// Labels longer than this stand on a line of their own instead of pushing every explanation to the right.
  private static let widestLabel = 28
  private static let indent = 2

  package let program: Program
  package let width: Int

  package init(_ program: Program, width: Int = 80) {
    self.program = program
    self.width = max(width, Help.narrowest)
  }

  package func text(of command: CommandForm, _ detail: HelpDetail) -> String {
    let isDefault = command.name == program.defaultCommand.name
    var lines = wrapped("\(program.invocation(of: command)): \(isDefault ? program.summary : command.summary)", at: 0)
    if detail == .full {
      for paragraph in command.details { lines += [""] + wrapped(paragraph, at: 0) }
    }
    lines += ["", "Usage:"] + usage(of: command)
    if isDefault, !program.commands.isEmpty {
      lines += section("Commands", program.commands.map { ($0.name, $0.summary) }, detail)
    }
    switch detail {
    case .short:
      let common = command.listedFlags.filter(\.isCommon)
      if !common.isEmpty { lines += section("Options", common.map { ($0.label, $0.firstSentence) }, detail) }
      lines += ["", "\(program.invocation(of: command)) --help lists \(rest(of: command, after: common.count))."]
    case .full:
      for group in command.groups { lines += section(group.title, group.flags.map { ($0.label, $0.fullHelp) }, detail) }
      if isDefault {
        for part in program.sections {
          lines += section(part.title, part.entries.map { ($0.term, $0.meaning) }, detail)
        }
      }
      if !command.examples.isEmpty { lines += ["", "Examples:"] + examples(of: command) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The program's reference, which the help of no command repeats.
  package var reference: String {
    let lines = program.reference.flatMap { section($0.title, $0.entries.map { ($0.term, $0.meaning) }, .full) }
    return lines.dropFirst().joined(separator: "\n") + "\n"
  }

  /// What a usage error may show: how the command is called.
  package func usage(of command: CommandForm) -> [String] {
    command.synopsis.map { "  \(program.invocation(of: command)) \($0)" }
  }

  private func rest(of command: CommandForm, after shown: Int) -> String {
    let all = command.listedFlags.count
    return all > shown ? "all \(all) options" : "them in full"
  }

  private func examples(of command: CommandForm) -> [String] {
    command.examples.flatMap { ["  \($0.line)"] + wrapped($0.meaning, at: 6) }
  }

  private func section(_ title: String, _ rows: [(label: String, text: String)], _ detail: HelpDetail) -> [String] {
    let fitting = rows.map(\.label.count).filter { $0 <= Help.widestLabel }
    let column = Help.indent + (fitting.max() ?? 0) + 2
    var lines = ["", title + ":"]
    for row in rows {
      let label = String(repeating: " ", count: Help.indent) + row.label
      var explanation = wrapped(row.text, at: column)
      // A short help is promised to fit on a screen: one line for each row, cut rather than wrapped.
      if detail == .short, explanation.count > 1 {
        explanation = [cut(String(repeating: " ", count: column) + row.text)]
      }
      if label.count + 2 <= column, let first = explanation.first {
        let gap = String(repeating: " ", count: column - label.count)
        explanation[0] = label + gap + first.dropFirst(column)
        lines += explanation
      } else {
        lines += [label] + explanation
      }
    }
    return lines
  }

  private func cut(_ line: String) -> String {
    line.count <= width ? line : line.prefix(width - 1) + "…"
  }

  /// Words filled into lines that start at `column`; a word longer than a line stays whole.
  private func wrapped(_ text: String, at column: Int) -> [String] {
    let margin = String(repeating: " ", count: column)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, column + line.count + 1 + word.count > width {
        lines.append(margin + line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [margin + line]
  }
}

extension FlagForm {
  /// "-j, --jobs N"; flags without a letter leave its place empty, so that the names stand in one column.
  package var label: String {
    let letter = short.map { "-\($0), " } ?? "    "
    return letter + spelling + (placeholder.map { " \($0)" } ?? "")
  }

  /// The help with the values a flag is limited to, unless the placeholder shows them.
  package var fullHelp: String {
    guard case .oneOf(let choices) = values else { return help }
    return "\(help) One of \(choices.joined(separator: ", "))."
  }

  /// What fits beside the flag where there is one line for it.
  var firstSentence: String {
    var end = help.startIndex
    while let stop = help[end...].firstIndex(of: ".") {
      end = help.index(after: stop)
      if end == help.endIndex || help[end] == " " { return String(help[..<end]) }
    }
    return help
  }
}

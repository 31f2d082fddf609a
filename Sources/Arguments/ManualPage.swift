/// The man page of a program, in mdoc.
package struct ManualPage: Sendable {
  package let program: Program
  /// As mdoc wants it: "January 2, 2026".
  package let date: String

  package init(_ program: Program, date: String) {
    self.program = program
    self.date = date
  }

  package var text: String {
    let all = [program.defaultCommand] + program.commands
    var lines = [
      ".Dd \(date)", ".Dt \(program.name.uppercased()) 1", ".Os", ".Sh NAME", ".Nm \(program.name)",
      ".Nd \(program.summary.roffCharacters)", ".Sh SYNOPSIS",
    ]
    for (index, line) in all.flatMap({ command in command.synopsis.map { words(command, $0) } }).enumerated() {
      if index > 0 { lines.append(".br") }
      lines += [".Nm", line]
    }
    lines.append(".Sh DESCRIPTION")
    lines += paragraphs(
      program.defaultCommand.details.isEmpty ? [program.summary.asSentence] : program.defaultCommand.details)
    lines += options(of: program.defaultCommand)
    if !program.commands.isEmpty { lines.append(".Sh COMMANDS") }
    for command in program.commands {
      lines += [".Ss \(program.invocation(of: command).roffCharacters)"]
      lines += paragraphs([command.summary.asSentence] + command.details) + options(of: command)
    }
    for section in program.reference + program.sections {
      lines += [".Sh \(section.title.uppercased().roffCharacters)", ".Bl -tag -width Ds"]
      lines += section.entries.flatMap { [".It \($0.term.roffArgument)", $0.meaning.roff] } + [".El"]
    }
    let examples = all.flatMap(\.examples)
    if !examples.isEmpty {
      lines += [".Sh EXAMPLES", ".Bl -tag -width Ds"]
      lines += examples.flatMap { [".It Li \($0.line.roffArgument)", $0.meaning.roff] } + [".El"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func words(_ command: CommandForm, _ synopsis: String) -> String {
    let isDefault = command.name == program.defaultCommand.name
    return (isDefault ? synopsis : "\(command.name) \(synopsis)").roffLine
  }

  private func paragraphs(_ texts: [String]) -> [String] {
    Array(texts.map { [$0.roff] }.joined(separator: [".Pp"]))
  }

  private func options(of command: CommandForm) -> [String] {
    var lines: [String] = []
    for group in command.groups {
      lines += [".Pp", group.title.roff + ":", ".Bl -tag -width Ds"]
      for flag in group.flags { lines += [flag.item, flag.fullHelp.roff] }
      lines.append(".El")
    }
    return lines
  }
}

extension FlagForm {
  /// ".It Fl j , Fl \-jobs Ar N"
  fileprivate var item: String {
    let letter = short.map { "Fl \($0) , " } ?? ""
    return ".It \(letter)Fl \\-\(name.roffCharacters)" + (placeholder.map { " Ar \($0.roffArgument)" } ?? "")
  }
}

extension String {
  /// "The verdict for CI." of "the verdict for CI".
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }

  /// As lines of text, one for each sentence as mdoc wants it, none of which is taken for a request.
  fileprivate var roff: String {
    var lines: [String] = []
    var sentence = ""
    for word in split(separator: " ") {
      sentence += (sentence.isEmpty ? "" : " ") + word
      if word.last == "." {
        lines.append(sentence)
        sentence = ""
      }
    }
    if !sentence.isEmpty { lines.append(sentence) }
    return lines.map(\.roffLine).joined(separator: "\n")
  }

  /// Text that may begin a line.
  fileprivate var roffLine: String {
    let isRequest = utf8.first == UInt8(ascii: ".") || utf8.first == UInt8(ascii: "'")
    return (isRequest ? "\\&" : "") + roffCharacters
  }

  /// As one argument of a macro: quoted, so that neither a space nor a macro's name inside it means anything.
  fileprivate var roffArgument: String {
    "\"" + roffCharacters.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// A dash is the one to type, a backslash is one, and other alphabets do not depend on the reader's encoding.
  fileprivate var roffCharacters: String {
    var result = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      }
    }
    return result
  }
}

/// The shells a completion script can be made for.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

extension Program {
  /// A script that completes commands, flags and values, made from the same table as the parser.
  package func completion(for shell: Shell) -> String {
    switch shell {
    case .bash: bashCompletion
    case .zsh: zshCompletion
    case .fish: fishCompletion
    }
  }

  /// "_streamscope", also for a program whose name no shell takes for a function.
  var completionFunction: String {
    "_" + String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}

extension FlagForm {
  /// The words that completion offers as its value.
  var words: [String] {
    switch values {
    case .oneOf(let words): words
    case .suggestions(let words): words()
    case .anything, .file, .directory: []
    }
  }
}

extension String {
  /// As one word of a POSIX shell, whatever it holds.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// An error of the command line, for the user who typed it.
package struct UsageError: Error, Hashable, Sendable {
  /// One sentence without a capital or a full stop: "--jobs needs a value".
  package var message: String
  /// What to type instead, where that can be guessed.
  package var hint: String?

  package init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  /// The lines for standard error.
  ///
  /// An argument may come from a glob over untrusted file names, so what the message quotes is escaped here.
  package func text(program: String) -> String {
    var lines = "\(program): \(UsageError.visible(message))\n"
    if let hint { lines += "  \(UsageError.visible(hint))\n" }
    return lines
  }

  private static func visible(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

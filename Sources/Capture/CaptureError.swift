/// Why a capture cannot be read at all: one line that says what, where and what to do.
package struct CaptureError: Error, Hashable, Sendable {
  /// The file as the user named it, or "standard input".
  package var file: String
  package var what: String
  package var fix: String?
  /// Whether not the file is wrong, but the filter.
  package var isOfFilter = false

  package init(_ file: String, _ what: String, fix: String? = nil) {
    self.file = file
    self.what = what
    self.fix = fix
  }
}

extension CaptureError: CustomStringConvertible {
  /// One line whatever the file and filter are called: it goes to terminals and logs.
  package var description: String {
    var line = CaptureError.visible(file) + ": " + CaptureError.visible(what)
    if let fix { line += "; " + CaptureError.visible(fix) }
    return line
  }

  /// The text with everything that could move a cursor or turn a line around spelled out.
  private static func visible(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      default:
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

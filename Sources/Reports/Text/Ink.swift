/// Colour inside lines that are still being built, as characters of Unicode's last private plane.
///
/// Lines are made of the program's words and of words from the capture. Only `TextBlock` and `LiveScreen` write them out,
/// and both do it here: these marks become the terminal's sequences, and every control character, whoever put it there,
/// is written visibly. So no sentence of a rule can carry an escape sequence to a terminal, or a command to a build
/// server that reads the log.
enum Ink {
  static let end: Unicode.Scalar = "\u{10FFF0}"

  static func mark(_ paint: TextStyle.Paint) -> Unicode.Scalar {
    switch paint {
    case .error: "\u{10FFF1}"
    case .warning: "\u{10FFF2}"
    case .note: "\u{10FFF3}"
    case .strong: "\u{10FFF4}"
    case .faint: "\u{10FFF5}"
    }
  }

  @inline(__always)
  static func isMark(_ value: UInt32) -> Bool { value >= 0x10_FFF0 && value <= 0x10_FFF5 }

  static func isMark(_ character: Character) -> Bool {
    guard let scalar = character.unicodeScalars.first else { return false }
    return isMark(scalar.value)
  }

  /// The sequence of a mark.
  private static func sequence(_ value: UInt32) -> String {
    let paints: [TextStyle.Paint] = [.error, .warning, .note, .strong, .faint]
    let paint = paints.first { mark($0).value == value }
    return "\u{1B}[\(paint?.rawValue ?? "0")m"
  }

  /// A finished line: colours as the terminal knows them where it is to be coloured, and nothing else that steers it.
  static func append(_ line: String, isColored: Bool, to output: inout [UInt8]) {
    let start = output.count
    defer { LogCommand.disarm(&output, from: start) }
    if line.utf8.allSatisfy(Scalars.isPrintableASCII) {
      output.append(contentsOf: line.utf8)
      return
    }
    for scalar in line.unicodeScalars {
      if isColored, isMark(scalar.value) {
        output.append(contentsOf: sequence(scalar.value).utf8)
      } else if Scalars.isHidden(scalar.value) {
        EscapedText.append(String(scalar), to: &output)
      } else {
        output.append(contentsOf: String(scalar).utf8)
      }
    }
  }

  static func line(_ text: String, isColored: Bool) -> String {
    var output: [UInt8] = []
    append(text, isColored: isColored, to: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

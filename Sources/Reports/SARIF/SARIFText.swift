import Events

/// Texts and names in SARIF.
enum SARIFText {
  /// A message. Text that looks like a link or placeholder of SARIF is escaped.
  static func message(_ text: String) -> String {
    var message = text
    if message.contains("](") {
      message = message.replacing("[", with: "\\[").replacing("]", with: "\\]")
    }
    return message.contains(/\{\d+\}/) ? message.replacing("{", with: "{{").replacing("}", with: "}}") : message
  }

  /// Text of rules in Markdown: what stands in backquotes is code there, too, and nothing else has a meaning.
  static func markdown(_ text: String) -> String {
    var escaped = ""
    var isCode = false
    for character in text {
      if character == "`" { isCode.toggle() }
      if !isCode, "\\*_[]<>|#~".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  /// A path of the command line as a URI: relative where it is, and nothing in it has a meaning but its slashes.
  static func uri(_ path: String) -> String {
    if path.isEmpty || path == "-" { return path == "-" ? "standard-input" : "unknown" }
    var path = path[...]
    if path.hasPrefix("/") { return "file:///" + encoded(path.drop { $0 == "/" }) }
    while path.hasPrefix("./") { path = path.dropFirst(2) }
    return encoded(path)
  }

  static func encoded(_ path: some StringProtocol, keeping kept: String = "/") -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8).union(kept.utf8)
    var encoded: [UInt8] = []
    for byte in path.utf8 {
      if plain.contains(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        EscapedText.appendDigits(UInt32(byte), width: 2, "0123456789ABCDEF", to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}

/// The last part of a path, whole.
func fileBase(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

/// Commands that build servers read in what a step prints: a line that begins with `::name` (GitHub), and `##[`, `##vso[`
/// or `##teamcity[` anywhere in it. No name or header of a capture may give one. An address like `::1` is none.
enum LogCommand {
  /// Writes a byte of what would be a command by its number, in the line that begins at `start`.
  static func disarm(_ line: inout [UInt8], from start: Int) {
    let text = line[start...].drop { $0 == UInt8(ascii: " ") }
    if text.starts(with: "::".utf8), isNamed(text.dropFirst(2)) {
      line.replaceSubrange(text.startIndex...text.startIndex, with: "\\x3A".utf8)
    }
    disarmWords(&line, from: start)
  }

  /// A letter, more of a name, and what ends it: a space before properties, or the second pair of colons.
  private static func isNamed(_ text: ArraySlice<UInt8>) -> Bool {
    let name = text.prefix { byte in
      isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
    }
    guard let first = name.first, isLetter(first) else { return false }
    let rest = text[name.endIndex...]
    return rest.first == UInt8(ascii: " ") || rest.starts(with: "::".utf8)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
  }

  /// The same of the words that are commands anywhere in a line.
  private static func disarmWords(_ line: inout [UInt8], from start: Int) {
    var index = start
    while let sharp = line[index...].firstIndex(of: UInt8(ascii: "#")) {
      index = sharp + 1
      guard index < line.count, line[index] == UInt8(ascii: "#") else { continue }
      let word = line[(index + 1)...].prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
      guard word.endIndex < line.count, line[word.endIndex] == UInt8(ascii: "[") else { continue }
      line.replaceSubrange(word.endIndex...word.endIndex, with: "\\x5B".utf8)
    }
  }

  /// Text that stands inside a line.
  static func disarmed(_ text: String) -> String {
    var bytes = Array(text.utf8)
    disarmWords(&bytes, from: 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}

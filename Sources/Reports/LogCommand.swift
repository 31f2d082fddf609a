/// Commands that build servers read in what a step prints: a line that begins with `::` (GitHub), and `##[`, `##vso[` or
/// `##teamcity[` anywhere in it. No name or header of a capture may give one.
enum LogCommand {
  /// Writes a byte of what would be a command by its number, in the line that begins at `start`.
  static func disarm(_ line: inout [UInt8], from start: Int) {
    if let first = line[start...].firstIndex(where: { $0 != UInt8(ascii: " ") }), first + 1 < line.count,
      line[first] == UInt8(ascii: ":"), line[first + 1] == UInt8(ascii: ":")
    {
      line.replaceSubrange(first...first, with: "\\x3A".utf8)
    }
    disarmWords(&line, from: start)
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

/// A capture's name in reports.
struct FileName {
  private static let longest = 60
  /// What stands between the first and last file of a series.
  static let series = " … "

  /// As named on the command line.
  let path: String

  /// The last part of the path, escaped; of a long one the beginning and the end.
  var base: String {
    if path == "-" { return "standard input" }
    let names = path.split(separator: Self.series).map { $0.split(separator: "/").last ?? $0 }
    let text = EscapedText.text(names.joined(separator: Self.series))
    guard text.count > Self.longest else { return text }
    return text.prefix(Self.longest - 21) + "…" + text.suffix(20)
  }

  /// The name as an argument for a shell, if it can be typed; else a placeholder.
  var argument: String { argument(or: "FILE") }

  func argument(or placeholder: String) -> String {
    let isPlain = { (byte: UInt8) in
      byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
        || "_@%+=:,./-".utf8.contains(byte)
    }
    guard path != "-", !path.contains(Self.series), path.count <= Self.longest, EscapedText.text(path) == path,
      !path.contains("'")
    else { return placeholder }
    let name = path.hasPrefix("-") ? "./" + path : path
    return name.utf8.allSatisfy(isPlain) ? name : "'\(name)'"
  }
}

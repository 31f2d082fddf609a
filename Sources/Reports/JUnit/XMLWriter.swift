/// Writes XML 1.0 by calls that nest as elements do.
///
/// Every text passes EscapedText, so nothing that steers or hides is written raw, and none of the characters that XML
/// 1.0 does not allow: they stand visibly escaped.
struct XMLWriter {
  private(set) var bytes: [UInt8] = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
  private var depth = 0

  typealias Attributes = KeyValuePairs<String, String>

  mutating func element(_ name: String, _ attributes: Attributes, _ body: (inout XMLWriter) -> Void) {
    begin(name, attributes)
    bytes.append(contentsOf: ">\n".utf8)
    depth += 1
    body(&self)
    depth -= 1
    indent()
    bytes.append(contentsOf: "</\(name)>\n".utf8)
  }

  mutating func element(_ name: String, _ attributes: Attributes) {
    begin(name, attributes)
    bytes.append(contentsOf: "/>\n".utf8)
  }

  /// An element of nothing but lines of text.
  mutating func element(_ name: String, _ attributes: Attributes = [:], lines: [String]) {
    begin(name, attributes)
    bytes.append(UInt8(ascii: ">"))
    for (index, line) in lines.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\n")) }
      bytes.append(contentsOf: Self.escaped(line).utf8)
    }
    bytes.append(contentsOf: "</\(name)>\n".utf8)
  }

  private mutating func begin(_ name: String, _ attributes: Attributes) {
    indent()
    bytes.append(contentsOf: "<\(name)".utf8)
    for (key, value) in attributes { bytes.append(contentsOf: " \(key)=\"\(Self.escaped(value))\"".utf8) }
  }

  private mutating func indent() {
    for _ in 0..<2 * depth { bytes.append(UInt8(ascii: " ")) }
  }

  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in EscapedText.text(text).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      // Noncharacters that XML does not allow.
      case "\u{FFFE}": escaped += "\\u{FFFE}"
      case "\u{FFFF}": escaped += "\\u{FFFF}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

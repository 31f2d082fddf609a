/// Parses JSON5 text into a tree. An error names the place where the text stops being JSON5; length and depth are bounded.
package struct JSON5Parser {
  package struct Malformed: Error, Equatable {
    package var place: JSON5Node.Place
    package var what: String

    package init(place: JSON5Node.Place, what: String) {
      self.place = place
      self.what = what
    }
  }

  /// Of bytes: more than anybody writes by hand.
  package static let lengthLimit = 1 << 20
  private static let depthLimit = 32

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var line = 1
  private var column = 1
  private var depth = 0

  private init(_ scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  package static func parse(_ bytes: [UInt8]) throws(Malformed) -> JSON5Node {
    let start = JSON5Node.Place(line: 1, column: 1)
    guard bytes.count <= lengthLimit else {
      throw Malformed(place: start, what: "the text is longer than \(lengthLimit) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Malformed(place: start, what: "the text is not UTF-8")
    }
    var parser = JSON5Parser(Array(text.unicodeScalars))
    if parser.next == "\u{FEFF}" { parser.position += 1 }
    let node = try parser.node()
    try parser.skipBlanks()
    guard parser.next == nil else { throw parser.malformed("unexpected text after the end of the value") }
    return node
  }

  // MARK: Characters

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }
  private var second: Unicode.Scalar? { position + 1 < scalars.count ? scalars[position + 1] : nil }
  private var place: JSON5Node.Place { JSON5Node.Place(line: line, column: column) }

  private func malformed(_ what: String) -> Malformed { Malformed(place: place, what: what) }

  private mutating func advance() {
    // CR LF is one end of a line.
    if let scalar = next, Self.endsLine(scalar), !(scalar == "\r" && second == "\n") {
      line += 1
      column = 1
    } else {
      column += 1
    }
    position += 1
  }

  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Blanks and comments.
  private mutating func skipBlanks() throws(Malformed) {
    while let scalar = next {
      if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        advance()
      } else if scalar == "/", second == "/" {
        while let scalar = next, !Self.endsLine(scalar) { advance() }
      } else if scalar == "/", second == "*" {
        let start = place
        advance()
        advance()
        while !(next == "*" && second == "/") {
          guard next != nil else { throw Malformed(place: start, what: "this comment has no end") }
          advance()
        }
        advance()
        advance()
      } else {
        return
      }
    }
  }

  // MARK: Values

  private mutating func node() throws(Malformed) -> JSON5Node {
    try skipBlanks()
    let start = place
    return JSON5Node(value: try value(), place: start)
  }

  private mutating func value() throws(Malformed) -> JSON5Node.Value {
    guard let scalar = next else { throw malformed("a value is missing at the end of the text") }
    switch scalar {
    case "{": return .object(try nested { (parser) throws(Malformed) in try parser.fields() })
    case "[": return .array(try nested { (parser) throws(Malformed) in try parser.elements() })
    case "\"", "'": return .string(try string())
    case "+", "-", ".", "0"..."9": return .number(try number())
    default: break
    }
    let start = place
    let word = Self.beginsName(scalar) ? name() : ""
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "Infinity", "NaN": return .number(word)
    default: throw Malformed(place: start, what: "not a valid value; text needs quotes")
    }
  }

  private mutating func nested<Result>(
    _ body: (inout JSON5Parser) throws(Malformed) -> Result
  ) throws(Malformed) -> Result {
    guard depth < Self.depthLimit else { throw malformed("nested deeper than \(Self.depthLimit) levels") }
    depth += 1
    advance()
    let result = try body(&self)
    depth -= 1
    return result
  }

  private mutating func fields() throws(Malformed) -> [JSON5Node.Field] {
    var fields: [JSON5Node.Field] = []
    var keys: Set<String> = []
    while true {
      try skipBlanks()
      if next == "}" {
        advance()
        return fields
      }
      let start = place
      let key = try key()
      guard keys.insert(key).inserted else { throw Malformed(place: start, what: "'\(key)' occurs twice here") }
      try skipBlanks()
      guard next == ":" else { throw malformed("':' is expected after a key") }
      advance()
      fields.append(JSON5Node.Field(key: key, place: start, value: try node()))
      try separator(before: "}")
    }
  }

  private mutating func elements() throws(Malformed) -> [JSON5Node] {
    var elements: [JSON5Node] = []
    while true {
      try skipBlanks()
      if next == "]" {
        advance()
        return elements
      }
      elements.append(try node())
      try separator(before: "]")
    }
  }

  /// A comma, or the end that comes next.
  private mutating func separator(before bracket: Unicode.Scalar) throws(Malformed) {
    try skipBlanks()
    if next == "," { return advance() }
    guard next == bracket else { throw malformed("',' or '\(bracket)' is expected") }
  }

  private mutating func key() throws(Malformed) -> String {
    guard let scalar = next else { throw malformed("the text ends inside an object") }
    if scalar == "\"" || scalar == "'" { return try string() }
    guard Self.beginsName(scalar) else { throw malformed("a key is expected") }
    return name()
  }

  private static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "$" || scalar == "_" || scalar.properties.isIDStart
  }

  private mutating func name() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = next, scalar == "$" || scalar.properties.isIDContinue {
      name.append(scalar)
      advance()
    }
    return String(name)
  }

  // MARK: Numbers

  private mutating func number() throws(Malformed) -> String {
    let start = position
    if next == "+" || next == "-" { advance() }
    if let word = next, Self.beginsName(word) {
      let place = place
      let name = name()
      guard name == "Infinity" || name == "NaN" else { throw Malformed(place: place, what: "a digit is expected") }
      return text(from: start)
    }
    if next == "0", second == "x" || second == "X" {
      advance()
      advance()
      guard skipDigits(Self.isHexDigit) > 0 else { throw malformed("a hexadecimal digit is expected") }
      return text(from: start)
    }
    var digits = skipDigits(Self.isDigit)
    if next == "." {
      advance()
      digits += skipDigits(Self.isDigit)
    }
    guard digits > 0 else { throw malformed("a digit is expected") }
    if next == "e" || next == "E" {
      advance()
      if next == "+" || next == "-" { advance() }
      guard skipDigits(Self.isDigit) > 0 else { throw malformed("a digit is expected") }
    }
    if let scalar = next, Self.beginsName(scalar) {
      throw malformed("a number ends here; with a unit it needs quotes")
    }
    return text(from: start)
  }

  private func text(from start: Int) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return String(text)
  }

  private mutating func skipDigits(_ isDigit: (Unicode.Scalar) -> Bool) -> Int {
    var count = 0
    while let scalar = next, isDigit(scalar) {
      advance()
      count += 1
    }
    return count
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
  private static func isHexDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && Character(scalar).isHexDigit }

  // MARK: Strings

  private mutating func string() throws(Malformed) -> String {
    let start = place
    guard let quote = next else { throw malformed("a text is expected") }
    advance()
    var text = String.UnicodeScalarView()
    while let scalar = next {
      if scalar == quote {
        advance()
        return String(text)
      }
      if scalar == "\n" || scalar == "\r" { break }
      if scalar == "\\" {
        advance()
        try escape(into: &text)
      } else {
        text.append(scalar)
        advance()
      }
    }
    throw Malformed(place: start, what: "this text has no closing \(quote)")
  }

  private mutating func escape(into text: inout String.UnicodeScalarView) throws(Malformed) {
    guard let letter = next else { throw malformed("the text ends after a backslash") }
    switch letter {
    case "n": text.append("\n")
    case "r": text.append("\r")
    case "t": text.append("\t")
    case "b": text.append("\u{08}")
    case "f": text.append("\u{0C}")
    case "v": text.append("\u{0B}")
    case "0":
      if let digit = second, Self.isDigit(digit) { throw malformed("not a valid escape") }
      text.append("\0")
    case "1"..."9": throw malformed("not a valid escape")
    case "x", "u":
      advance()
      return text.append(try code(letter == "x" ? 2 : 4))
    case "\r":
      // A line that goes on.
      advance()
      if next == "\n" { advance() }
      return
    case "\n", "\u{2028}", "\u{2029}": break
    default: text.append(letter)
    }
    advance()
  }

  /// A character beyond the first 65,536 is written as two halves.
  private mutating func code(_ digits: Int) throws(Malformed) -> Unicode.Scalar {
    let start = place
    var value = try hexadecimal(digits)
    if digits == 4, value & 0xFC00 == 0xD800, next == "\\", second == "u" {
      advance()
      advance()
      let low = try hexadecimal(4)
      guard low & 0xFC00 == 0xDC00 else { throw Malformed(place: start, what: "half a surrogate pair") }
      value = 0x1_0000 + (value & 0x3FF) << 10 + low & 0x3FF
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw Malformed(place: start, what: "half a surrogate pair")
    }
    return scalar
  }

  private mutating func hexadecimal(_ digits: Int) throws(Malformed) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let scalar = next, Self.isHexDigit(scalar), let digit = Character(scalar).hexDigitValue else {
        throw malformed("\(digits) hexadecimal digits are expected")
      }
      value = value << 4 | UInt32(digit)
      advance()
    }
    return value
  }
}

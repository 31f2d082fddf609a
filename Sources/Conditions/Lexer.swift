struct Token: Equatable {
  enum Kind: Equatable {
    /// A field, a keyword, or a word that a field can have.
    case word(String)
    /// A figure and the letters right behind it.
    case figure(digits: String, unit: String)
    case text(String)
    case relation(Relation)
    case open, close, comma
    case end
  }

  var kind: Kind
  /// Of its first character, from 1.
  var column: Int
}

extension Token.Kind {
  /// Its name in error messages.
  var words: String {
    switch self {
    case .word(let word): "'\(word)'"
    case .figure(let digits, let unit): "'\(digits)\(unit)'"
    case .text: "text"
    case .relation(let relation): "'\(relation.rawValue)'"
    case .open: "'('"
    case .close: "')'"
    case .comma: "','"
    case .end: "the end"
    }
  }
}

/// Characters to tokens.
struct Lexer {
  /// The longest accepted condition.
  static let limit = 4_096

  private let scalars: [Unicode.Scalar]
  private var at = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  static func tokens(_ text: String) throws(ConditionError) -> [Token] {
    var lexer = Lexer(text)
    guard lexer.scalars.count <= limit else {
      throw ConditionError(limit + 1, "a condition has at most \(limit) characters")
    }
    var tokens: [Token] = []
    while true {
      let token = try lexer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
    }
  }

  private var current: Unicode.Scalar? { at < scalars.count ? scalars[at] : nil }
  private var following: Unicode.Scalar? { at + 1 < scalars.count ? scalars[at + 1] : nil }

  private mutating func next() throws(ConditionError) -> Token {
    while let scalar = current, scalar.properties.isWhitespace { at += 1 }
    let column = at + 1
    guard let scalar = current else { return Token(kind: .end, column: column) }
    switch scalar {
    case "(": return single(.open)
    case ")": return single(.close)
    case ",": return single(.comma)
    case "\"", "'": return Token(kind: .text(try text(quotedBy: scalar)), column: column)
    case "=", "!", "<", ">", "&", "|": return try symbol(scalar)
    default: break
    }
    if Self.isDigit(scalar) { return Token(kind: figure(), column: column) }
    guard scalar.properties.isAlphabetic else { throw ConditionError(column, "'\(scalar)' is not allowed here") }
    return Token(kind: .word(word()), column: column)
  }

  private mutating func single(_ kind: Token.Kind) -> Token {
    at += 1
    return Token(kind: kind, column: at)
  }

  private mutating func symbol(_ scalar: Unicode.Scalar) throws(ConditionError) -> Token {
    let column = at + 1
    if following == "=", let relation = Relation(rawValue: "\(scalar)=") {
      at += 2
      return Token(kind: .relation(relation), column: column)
    }
    if let relation = Relation(rawValue: "\(scalar)") {
      at += 1
      return Token(kind: .relation(relation), column: column)
    }
    switch scalar {
    case "=": throw ConditionError(column, "'=' is written '=='")
    case "!": throw ConditionError(column, "'!' is written 'not'")
    case "&": throw ConditionError(column, "'&' is written 'and'")
    default: throw ConditionError(column, "'|' is written 'or'")
    }
  }

  private mutating func word() -> String {
    var word = String.UnicodeScalarView()
    while let scalar = current,
      scalar.properties.isAlphabetic || Self.isDigit(scalar) || scalar == "." || scalar == "_" || scalar == "-"
    {
      word.append(scalar)
      at += 1
    }
    return String(word)
  }

  private mutating func figure() -> Token.Kind {
    var digits = String.UnicodeScalarView()
    var hasPoint = false
    while let scalar = current, Self.isDigit(scalar) || scalar == "." && !hasPoint {
      if scalar == "." {
        guard let next = following, Self.isDigit(next) else { break }
        hasPoint = true
      }
      digits.append(scalar)
      at += 1
    }
    var unit = String.UnicodeScalarView()
    while let scalar = current, scalar.properties.isAlphabetic || Self.isDigit(scalar) {
      unit.append(scalar)
      at += 1
    }
    return .figure(digits: String(digits), unit: String(unit))
  }

  private mutating func text(quotedBy quote: Unicode.Scalar) throws(ConditionError) -> String {
    let column = at + 1
    at += 1
    var text = String.UnicodeScalarView()
    while let scalar = current {
      at += 1
      if scalar == quote { return String(text) }
      text.append(scalar == "\\" ? try escaped() : scalar)
    }
    throw ConditionError(column, "this text has no closing quote")
  }

  /// What stands after a backslash. In a pattern \\* is a star: the text gives the pattern its backslash.
  private mutating func escaped() throws(ConditionError) -> Unicode.Scalar {
    let column = at
    guard let scalar = current else { throw ConditionError(column, "this text has no closing quote") }
    at += 1
    switch scalar {
    case "\\", "\"", "'": return scalar
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      var digits = ""
      guard current == "{" else { break }
      at += 1
      while let digit = current, digit != "}", digits.count < 8 {
        digits.unicodeScalars.append(digit)
        at += 1
      }
      guard current == "}", let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else { break }
      at += 1
      return scalar
    default: break
    }
    throw ConditionError(column, "after a backslash only \\ \" ' n r t or u{…} is allowed")
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

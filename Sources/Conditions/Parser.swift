extension Condition {
  /// Parses a condition; names are checked against the vocabulary, and literals against the kind of their field.
  package init(_ text: String, _ vocabulary: Vocabulary) throws(ConditionError) {
    var parser = Parser(try Lexer.tokens(text), vocabulary)
    self.init(text: text, try parser.sentence())
  }
}

/// Tokens to a tree, by recursive descent.
struct Parser {
  /// Nested parentheses and negations.
  static let depthLimit = 64
  /// Literals of one `in`.
  static let listLimit = 256

  private static let keywords: Set<String> = ["and", "or", "not", "like", "ilike", "in"]

  private let tokens: [Token]
  private var vocabulary: Vocabulary
  private var at = 0
  private var depth = 0

  init(_ tokens: [Token], _ vocabulary: Vocabulary) {
    self.tokens = tokens
    self.vocabulary = vocabulary
  }

  /// The last one is the end, and stays.
  var current: Token { tokens[min(at, tokens.count - 1)] }

  mutating func advance() -> Token {
    defer { at += 1 }
    return current
  }

  mutating func takes(_ kind: Token.Kind) -> Bool {
    guard current.kind == kind else { return false }
    at += 1
    return true
  }

  // MARK: Sentences

  fileprivate mutating func sentence() throws(ConditionError) -> Expression {
    if current.kind == .end { throw ConditionError(1, "the condition is empty") }
    let expression = try condition()
    guard current.kind == .end else {
      throw ConditionError(current.column, "'and', 'or' or the end is expected here, not \(current.kind.words)")
    }
    return expression
  }

  /// A condition inside an assertion, with a vocabulary of its own.
  mutating func condition(_ vocabulary: Vocabulary) throws(ConditionError) -> Expression {
    self.vocabulary = vocabulary
    return try condition()
  }

  private mutating func condition() throws(ConditionError) -> Expression {
    var parts = [try conjunction()]
    while takes(.word("or")) { parts.append(try conjunction()) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(ConditionError) -> Expression {
    var parts = [try negation()]
    while takes(.word("and")) { parts.append(try negation()) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private mutating func negation() throws(ConditionError) -> Expression {
    let column = current.column
    if takes(.word("not")) {
      try enter(column)
      defer { depth -= 1 }
      return .not(try negation())
    }
    if takes(.open) {
      try enter(column)
      defer { depth -= 1 }
      let inner = try condition()
      guard takes(.close) else {
        throw ConditionError(current.column, "')' is expected here, for the '(' at column \(column)")
      }
      return inner
    }
    return try comparison()
  }

  private mutating func enter(_ column: Int) throws(ConditionError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw ConditionError(column, "more than \(Self.depthLimit) nested parentheses and negations")
    }
  }

  // MARK: Comparisons

  private mutating func comparison() throws(ConditionError) -> Expression {
    let column = current.column
    let field = try field()
    switch current.kind {
    case .relation(let relation): return try comparison(field, relation, column)
    case .word("like"), .word("ilike"): return try match(field)
    case .word("in"): return try membership(field)
    default: break
    }
    guard field.kind == .flag else {
      throw ConditionError(
        column, "'\(field.name)' is \(field.kind.words), and needs a comparison: \(field.name) \(field.sample)")
    }
    return .flag(field)
  }

  private mutating func field() throws(ConditionError) -> Field {
    let token = advance()
    guard case .word(let name) = token.kind, !Self.keywords.contains(name) else {
      throw ConditionError(token.column, "a field is expected here, not \(token.kind.words)")
    }
    if current.kind == .open {
      throw ConditionError(
        token.column, "conditions have no functions: they test one exchange, connection or finding at a time")
    }
    guard let field = vocabulary.field(named: name) else {
      throw ConditionError(
        token.column, "no field '\(name)'", word: name, candidates: vocabulary.fields.map(\.name))
    }
    return field
  }

  private mutating func comparison(
    _ field: Field, _ relation: Relation, _ column: Int
  ) throws(ConditionError) -> Expression {
    let token = advance()
    if field.kind == .flag {
      throw ConditionError(token.column, "'\(field.name)' is a flag: use it alone, or after 'not'")
    }
    let isOrder = relation != .equal && relation != .unequal
    if isOrder, !field.kind.hasOrder {
      throw ConditionError(
        token.column, "'\(field.name)' is \(field.kind.words), which has no order")
    }
    let value = current
    let literal = try literal(for: field)
    if isOrder, case .statuses = literal {
      throw ConditionError(
        value.column, "\(value.kind.words) is a class of statuses: use == != or in, or compare with its first status")
    }
    return .comparison(.field(field), relation, literal)
  }

  private mutating func match(_ field: Field) throws(ConditionError) -> Expression {
    let token = advance()
    guard field.kind == .text else {
      throw ConditionError(token.column, "'\(field.name)' is \(field.kind.words); patterns are for texts")
    }
    let pattern = advance()
    guard case .text(let text) = pattern.kind else {
      throw ConditionError(pattern.column, "text in quotes is expected here, not \(pattern.kind.words)")
    }
    return .match(.field(field), Pattern(text, ignoresCase: token.kind == .word("ilike")))
  }

  private mutating func membership(_ field: Field) throws(ConditionError) -> Expression {
    let token = advance()
    if field.kind == .flag {
      throw ConditionError(token.column, "'\(field.name)' is a flag: use it alone, or after 'not'")
    }
    guard takes(.open) else { throw ConditionError(current.column, "'(' is expected here, not \(current.kind.words)") }
    var literals: [Literal] = []
    repeat {
      guard literals.count < Self.listLimit else {
        throw ConditionError(current.column, "more than \(Self.listLimit) values in one list")
      }
      literals.append(try literal(for: field))
    } while takes(.comma)
    guard takes(.close) else {
      throw ConditionError(current.column, "',' or ')' is expected here, not \(current.kind.words)")
    }
    return .membership(.field(field), literals)
  }

  private mutating func literal(for field: Field) throws(ConditionError) -> Literal {
    try Literal(advance(), for: field)
  }
}

extension Field {
  /// How it could be compared.
  fileprivate var sample: String {
    if let word = words.first { return "== \(word)" }
    return kind.hasOrder && kind != .status ? "> \(kind.example)" : kind == .status ? "== 2xx" : "== \(kind.example)"
  }
}

extension Assertion {
  /// Parses an assertion about one of the series; names and types are checked.
  package init(_ text: String, _ series: [Series]) throws(ConditionError) {
    var parser = Parser(try Lexer.tokens(text), Vocabulary([]))
    self = try parser.assertion(text, series)
  }
}

extension Parser {
  fileprivate mutating func assertion(_ text: String, _ series: [Series]) throws(ConditionError) -> Assertion {
    if current.kind == .end { throw ConditionError(1, "the assertion is empty") }
    let start = current.column
    let figure = try figure(text, series)
    let name = Self.excerpt(text, from: start, to: current.column)
    let relation = advance()
    guard case .relation(let relation) = relation.kind else {
      throw ConditionError(
        relation.column, "one of == != < <= > >= is expected here, not \(relation.kind.words)")
    }
    let limit = try Literal(advance(), for: Field(name, id: -1, figure.kind))
    guard current.kind == .end else {
      throw ConditionError(
        current.column, "the end is expected here, not \(current.kind.words): an assertion is one comparison")
    }
    return Assertion(text: text, figure, relation, limit)
  }

  // MARK: Figures

  private mutating func figure(_ text: String, _ all: [Series]) throws(ConditionError) -> Figure {
    let token = advance()
    guard case .word(let word) = token.kind else {
      throw ConditionError(
        token.column, "a figure such as max(http.wait) is expected here, not \(token.kind.words)")
    }
    let open = current.column
    guard takes(.open) else { return try single(word, token.column, all) }
    let aggregate = try aggregate(word, token.column)
    let series = try series(all)
    try Self.check(aggregate, word, series, token.column)
    var condition: Condition?
    if current.kind == .word("where") {
      let column = advance().column
      if case .one = series.values {
        throw ConditionError(column, "'\(series.name)' is a single figure of the capture; where does not apply")
      }
      let start = current.column
      let expression = try self.condition(series.vocabulary)
      condition = Condition(text: Self.excerpt(text, from: start, to: current.column), expression)
    }
    guard takes(.close) else {
      let what = condition == nil ? "'where' or ')'" : "'and', 'or' or ')'"
      throw ConditionError(
        current.column, "\(what) is expected here, for the '(' at column \(open), not \(current.kind.words)")
    }
    return Figure(aggregate: aggregate, series: series, condition: condition)
  }

  /// A series without an aggregate, which only those of one value are.
  private func single(_ name: String, _ column: Int, _ all: [Series]) throws(ConditionError) -> Figure {
    guard let series = all.first(where: { $0.name == name }) else {
      let isAggregate = Aggregate.names.contains(name) || Self.percentile(name) != nil
      guard isAggregate else {
        throw ConditionError(
          column, "no figure '\(name)'", word: name, candidates: all.map(\.name) + Aggregate.names)
      }
      throw ConditionError(column, "'\(name)' needs a series: \(name)(http.wait)")
    }
    switch series.values {
    case .one: return Figure(aggregate: .maximum, series: series, condition: nil)
    case .many: throw ConditionError(column, "'\(name)' has many values; use p99(\(name)), max(\(name))")
    case .counted: throw ConditionError(column, "'\(name)' has no value; use count(\(name))")
    }
  }

  private func aggregate(_ name: String, _ column: Int) throws(ConditionError) -> Aggregate {
    if let aggregate = Aggregate(named: name) { return aggregate }
    if let other = Aggregate.otherNames[name] { throw ConditionError(column, "'\(name)' is written '\(other)'") }
    guard let digits = Self.percentile(name) else {
      throw ConditionError(column, "no aggregate '\(name)'", word: name, candidates: Aggregate.names)
    }
    guard let percentile = Percentile(digits) else {
      throw ConditionError(
        column, "a percentile lies between p0 and p100, with at most three decimal places")
    }
    return .percentile(percentile)
  }

  private static func percentile(_ name: String) -> Substring? {
    let digits = name.dropFirst()
    let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    return name.hasPrefix("p") && isNumber ? digits : nil
  }

  private mutating func series(_ all: [Series]) throws(ConditionError) -> Series {
    let token = advance()
    guard case .word(let name) = token.kind else {
      throw ConditionError(token.column, "a series such as http.wait is expected here, not \(token.kind.words)")
    }
    guard let series = all.first(where: { $0.name == name }) else {
      throw ConditionError(token.column, "no series '\(name)'", word: name, candidates: all.map(\.name))
    }
    return series
  }

  /// Not every aggregate applies to every series.
  private static func check(
    _ aggregate: Aggregate, _ name: String, _ series: Series, _ column: Int
  ) throws(ConditionError) {
    switch (series.values, aggregate) {
    case (.counted, .count), (.counted, .rate): return
    case (.counted(ofCapture: true), .minimum), (.counted(ofCapture: true), .maximum): return
    case (.counted, _):
      throw ConditionError(column, "'\(series.name)' has no \(name); use count(\(series.name))")
    case (.many, .rate):
      throw ConditionError(column, "'\(series.name)' has values; a rate needs something counted: rate(http.requests)")
    case (.many, _): return
    case (.one, .minimum), (.one, .maximum), (.one, .mean), (.one, .sum): return
    case (.one, _):
      throw ConditionError(column, "'\(series.name)' is a single figure of the capture: write \(series.name) alone")
    }
  }

  /// What was written from one column up to another, without the space behind it.
  private static func excerpt(_ text: String, from start: Int, to end: Int) -> String {
    var scalars = Array(text.unicodeScalars.dropFirst(start - 1).prefix(max(0, end - start)))
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }
}

import Citation

extension Literal {
  /// What a token means where a field is compared with it.
  init(_ token: Token, for field: Field) throws(ConditionError) {
    switch (token.kind, field.kind) {
    case (.figure(let digits, let unit), _):
      self = try Literal(digits, unit, for: field, token)
    case (.text(let text), .text):
      self = try Literal(word: text, for: field, token)
    case (.word(let word), .text) where !field.words.isEmpty:
      self = try Literal(word: word, for: field, token)
    case (.word(let word), .text):
      throw ConditionError(token.column, "text needs quotes: \"\(word)\"")
    case (.text(let text), .time):
      guard let point = TimePoint(text) else {
        throw ConditionError(token.column, "not a time: write \"12:30:00\", \"2026-01-31T12:30:00Z\" or 1.5s")
      }
      self = .time(point)
    case (.word, _), (.text, _):
      throw ConditionError(
        token.column, "'\(field.name)' is \(field.kind.words), such as \(field.kind.example), not \(token.kind.words)")
    default:
      throw ConditionError(token.column, "\(field.kind.words) is expected here, not \(token.kind.words)")
    }
  }

  private init(word: String, for field: Field, _ token: Token) throws(ConditionError) {
    guard field.words.isEmpty || field.words.contains(word) else {
      throw ConditionError(
        token.column, "'\(field.name)' is never '\(word)', but \(field.words.joined(separator: ", "))", word: word,
        candidates: field.words)
    }
    self = .text(word)
  }

  private init(_ digits: String, _ unit: String, for field: Field, _ token: Token) throws(ConditionError) {
    let isNothing = unit.isEmpty && digits.utf8.allSatisfy { $0 == UInt8(ascii: "0") || $0 == UInt8(ascii: ".") }
    switch field.kind {
    case .number where unit.isEmpty:
      guard let value = Double(digits) else { throw Literal.tooLarge(token) }
      self = .number(value)
    case .duration where Quantity.durations[unit] != nil || isNothing:
      self = .nanoseconds(try Literal.value(digits, Quantity.durations[unit] ?? 1, token))
    case .time where Quantity.durations[unit] != nil || isNothing:
      self = .time(.sinceFirst(try Literal.value(digits, Quantity.durations[unit] ?? 1, token)))
    case .size where Quantity.sizes[unit] != nil || unit.isEmpty:
      self = .bytes(UInt64(max(0, try Literal.value(digits, Quantity.sizes[unit] ?? 1, token))))
    case .status where unit.isEmpty:
      guard let status = UInt16(digits), (100...999).contains(status) else {
        throw ConditionError(token.column, "a status has three digits")
      }
      self = .status(status)
    case .status where unit.lowercased() == "xx":
      guard let first = UInt16(digits), (1...9).contains(first) else {
        throw ConditionError(token.column, "a class of statuses is 1xx to 9xx")
      }
      self = .statuses(first * 100...first * 100 + 99)
    default: throw Literal.mismatch(digits, unit, field, token)
    }
  }

  private static func value(_ digits: String, _ unit: UInt64, _ token: Token) throws(ConditionError) -> Int64 {
    guard let value = Quantity.value(digits, times: unit) else { throw tooLarge(token) }
    return value
  }

  private static func tooLarge(_ token: Token) -> ConditionError {
    ConditionError(token.column, "\(token.kind.words) is too large")
  }

  /// A figure that is something else than the field.
  private static func mismatch(_ digits: String, _ unit: String, _ field: Field, _ token: Token) -> ConditionError {
    let isUnit = !unit.isEmpty && (Quantity.durations[unit] != nil || Quantity.sizes[unit] != nil)
    guard unit.isEmpty || isUnit || unit == "xx" else {
      if field.kind == .status {
        return ConditionError(token.column, "a status has three digits, or is a class like 2xx")
      }
      let units = field.kind == .size ? Quantity.sizes.keys : Quantity.durations.keys
      return ConditionError(
        token.column, "no unit '\(unit)'", word: unit,
        candidates: units.filter { $0.utf8.allSatisfy { $0 < 0x80 } }.sorted())
    }
    let given: Field.Kind =
      unit.isEmpty ? .number : unit == "xx" ? .status : Quantity.durations[unit] != nil ? .duration : .size
    let unitless = given == .number && (field.kind == .duration || field.kind == .time) ? " (which needs a unit)" : ""
    return ConditionError(
      token.column,
      "'\(field.name)' is \(field.kind.words), such as \(field.kind.example)\(unitless), and \(token.kind.words) is \(given.words)"
    )
  }
}

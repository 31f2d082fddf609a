import Citation

/// Whether a condition holds, as far as known.
package enum Truth: Sendable, Equatable {
  case yes, no
  /// Not decided yet.
  case unknown

  init(_ value: Bool) { self = value ? .yes : .no }

  var negated: Truth {
    switch self {
    case .yes: .no
    case .no: .yes
    case .unknown: .unknown
    }
  }
}

/// The value of a field of a subject.
package enum Answer: Sendable, Equatable {
  case number(Double)
  case nanoseconds(Int64)
  case bytes(UInt64)
  case status(UInt16)
  case text(String)
  /// Several at once: it is equal to each of them.
  case texts([String])
  case time(Timestamp)
  case flag(Bool)
  /// It has none.
  case absent
  /// It is not known yet.
  case unknown
}

/// Something that a condition can be evaluated on.
package protocol Subject {
  /// The capture's first packet, which times are counted from.
  var origin: Timestamp { get }
  func answer(_ field: Int) -> Answer
}

extension Condition {
  /// A comparison with what the subject does not have is false, whatever the relation.
  package func truth(of subject: some Subject) -> Truth { expression.truth(of: subject) }
}

extension Expression {
  fileprivate func truth(of subject: some Subject) -> Truth {
    switch self {
    case .any(let parts):
      var isUnknown = false
      for part in parts {
        let truth = part.truth(of: subject)
        if truth == .yes { return .yes }
        if truth == .unknown { isUnknown = true }
      }
      return isUnknown ? .unknown : .no
    case .all(let parts):
      var isUnknown = false
      for part in parts {
        let truth = part.truth(of: subject)
        if truth == .no { return .no }
        if truth == .unknown { isUnknown = true }
      }
      return isUnknown ? .unknown : .yes
    case .not(let part): return part.truth(of: subject).negated
    case .flag(let field):
      switch subject.answer(field.id) {
      case .flag(let value): return Truth(value)
      case .unknown: return .unknown
      default: return .no
      }
    case .comparison(let operand, let relation, let literal):
      return operand.truth(of: subject) { literal.holds(relation, of: $0, subject.origin) }
    case .membership(let operand, let literals):
      return operand.truth(of: subject) { answer in
        literals.contains { $0.holds(.equal, of: answer, subject.origin) }
      }
    case .match(let operand, let pattern):
      return operand.truth(of: subject) { answer in
        switch answer {
        case .text(let text): pattern.matches(text)
        case .texts(let texts): texts.contains { pattern.matches($0) }
        default: false
        }
      }
    }
  }
}

extension Operand {
  fileprivate func truth(of subject: some Subject, _ holds: (Answer) -> Bool) -> Truth {
    switch self {
    case .field(let field):
      switch subject.answer(field.id) {
      case .absent: return .no
      case .unknown: return .unknown
      case let answer: return Truth(holds(answer))
      }
    }
  }
}

extension Literal {
  fileprivate func holds(_ relation: Relation, of answer: Answer, _ origin: Timestamp) -> Bool {
    switch (answer, self) {
    case (.number(let value), .number(let limit)): relation.holds(value, limit)
    case (.nanoseconds(let value), .nanoseconds(let limit)): relation.holds(value, limit)
    case (.bytes(let value), .bytes(let limit)): relation.holds(value, limit)
    case (.status(let value), .status(let limit)): relation.holds(value, limit)
    case (.status(let value), .statuses(let range)): range.contains(value) == (relation == .equal)
    case (.text(let value), .text(let other)): (value == other) == (relation == .equal)
    case (.texts(let values), .text(let other)): values.contains(other) == (relation == .equal)
    case (.time(let value), .time(let point)): relation.holds(value, point.resolved(from: origin))
    // A value of another kind than declared: every comparison is false.
    default: false
    }
  }
}

extension Relation {
  package func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: left == right
    case .unequal: left != right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}

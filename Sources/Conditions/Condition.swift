/// A parsed condition.
package struct Condition: Sendable, Equatable {
  /// As it was written.
  package let text: String
  package let expression: Expression

  init(text: String, _ expression: Expression) {
    self.text = text
    self.expression = expression
  }

  /// All fields it uses, by id.
  package var fields: Set<Int> {
    var fields: Set<Int> = []
    expression.collect(into: &fields)
    return fields
  }
}

/// Trees are no deeper than the parser lets them be, so recursion over them is safe.
package indirect enum Expression: Sendable, Equatable {
  case any([Expression])
  case all([Expression])
  case not(Expression)
  case flag(Field)
  case comparison(Operand, Relation, Literal)
  case membership(Operand, [Literal])
  case match(Operand, Pattern)
}

/// The left side of a comparison. Aggregates belong to assertions, not to conditions.
package enum Operand: Sendable, Equatable {
  case field(Field)

  var kind: Field.Kind {
    switch self {
    case .field(let field): field.kind
    }
  }
}

package enum Relation: String, Sendable, CaseIterable {
  case equal = "=="
  case unequal = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
}

/// What something is compared with, of the kind of the field.
package enum Literal: Sendable, Equatable {
  case number(Double)
  case nanoseconds(Int64)
  case bytes(UInt64)
  case status(UInt16)
  /// 2xx
  case statuses(ClosedRange<UInt16>)
  case text(String)
  case time(TimePoint)
}

extension Expression {
  fileprivate func collect(into fields: inout Set<Int>) {
    switch self {
    case .any(let parts), .all(let parts): for part in parts { part.collect(into: &fields) }
    case .not(let part): part.collect(into: &fields)
    case .flag(let field): fields.insert(field.id)
    case .comparison(.field(let field), _, _), .membership(.field(let field), _), .match(.field(let field), _):
      fields.insert(field.id)
    }
  }
}

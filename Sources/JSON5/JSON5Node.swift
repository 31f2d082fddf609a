// JSON5 is JSON as people write it by hand: with comments, trailing commas, keys without quotes and single quotes. It is
// read for the configuration alone. Every value knows where it stands, so that whoever finds it wrong can say so.

/// A value of a JSON5 text, and its place.
package struct JSON5Node: Sendable, Equatable {
  package indirect enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As written: the reader knows what figure it needs.
    case number(String)
    case string(String)
    case array([JSON5Node])
    /// In their order; no key stands twice.
    case object([Field])
  }

  package struct Field: Sendable, Equatable {
    package var key: String
    package var place: Place
    package var value: JSON5Node
  }

  /// Both from 1; columns count characters of Unicode.
  package struct Place: Sendable, Equatable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  package var value: Value
  package var place: Place
}

extension JSON5Node {
  package var fields: [Field]? { if case .object(let fields) = value { fields } else { nil } }
  package var elements: [JSON5Node]? { if case .array(let elements) = value { elements } else { nil } }
  package var string: String? { if case .string(let text) = value { text } else { nil } }
  package var number: String? { if case .number(let text) = value { text } else { nil } }

  package subscript(_ key: String) -> JSON5Node? { fields?.first { $0.key == key }?.value }
}

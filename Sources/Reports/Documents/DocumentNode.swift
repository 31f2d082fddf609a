/// A value of a document, as it was written or read again.
///
/// Everything that is made from a document alone (see DocumentFormat) reads this form of it, so that a report made
/// directly and one made later from a file cannot differ.
package enum DocumentNode: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number with a fraction or an exponent, or beyond 64 bits: as it was written.
  case number(String)
  case string(String)
  /// An array of nothing but integers: a column of a table may have half a million of them.
  case integers([Int64])
  case array([DocumentNode])
  /// In the order in which they were written.
  case object([Field])
  /// A value that is text already, in the form in which it is embedded in a page: nothing reads it, and its tree would take
  /// several times the room.
  case embedded([UInt8])

  package struct Field: Sendable, Equatable {
    package var key: String
    package var value: DocumentNode

    package init(_ key: String, _ value: DocumentNode) {
      self.key = key
      self.value = value
    }
  }
}

// MARK: - Reading

// Missing or unexpected values read as nil: a document may come from a newer program.
extension DocumentNode {
  package subscript(_ key: String) -> DocumentNode? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.key == key }?.value
  }

  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let text): Double(text)
    default: nil
    }
  }

  package var flag: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  package var elements: [DocumentNode] {
    switch self {
    case .array(let elements): elements
    case .integers(let values): values.map(DocumentNode.integer)
    default: []
    }
  }

  package var integers: [Int64] {
    switch self {
    case .integers(let values): values
    case .array(let elements): elements.compactMap(\.integer)
    default: []
    }
  }

  package var fields: [Field] {
    if case .object(let fields) = self { fields } else { [] }
  }

  package func text(_ key: String) -> String? { self[key]?.text }
  package func integer(_ key: String) -> Int64? { self[key]?.integer }
  package func flag(_ key: String) -> Bool { self[key]?.flag ?? false }
  package func elements(_ key: String) -> [DocumentNode] { self[key]?.elements ?? [] }
  package func integers(_ key: String) -> [Int64] { self[key]?.integers ?? [] }
}

extension DocumentNode: JSONValue {
  package func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .bool(let value): json.bool(value)
    case .integer(let value): json.integer(value)
    case .number(let text): json.number(text)
    case .string(let text): json.string(text)
    case .integers(let values): json.line(values)
    case .array(let elements): elements.write(to: &json)
    case .object(let fields):
      json.object { json in for field in fields { json.field(FieldName(field.key), field.value) } }
    case .embedded(let text): json.embedded(text)
    }
  }
}

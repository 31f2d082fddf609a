// Conditions is the language of --where, a condition on one exchange, connection or finding, and of --assert, a
// comparison of a figure over many of them. An assertion can contain a condition:
//
//   assertion  = figure ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) literal
//   figure     = aggregate "(" series [ "where" condition ] ")" | series
//   aggregate  = "count" | "min" | "max" | "mean" | "sum" | "rate" | "p50" | "p99" | "p99.9" | …
//
//   condition  = all { "or" all }
//   all        = negation { "and" negation }
//   negation   = "not" negation | "(" condition ")" | comparison
//   comparison = flag
//              | field ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) literal
//              | field ( "like" | "ilike" ) text
//              | field "in" "(" literal { "," literal } ")"
//   literal    = number | duration | size | status | text | word
//
//   number     42  1.5                      status   200  2xx
//   duration   250ms  1.5s  2m  10us  1h    text     "…" or '…', with \" \' \\ \n \r \t \u{…}
//   size       512B  1MB  64KiB             word     one of those that the field has: kind == sse
//
// `like` takes * for any run of characters and ? for one, and \ escapes the character after it; `ilike`
// ignores case. A size may be a number of bytes, and a duration of nothing is 0. A time is a
// duration since the first packet, or a text as --from takes it.
//
// A vocabulary lists the fields. Parsing checks names and types against it, so every Condition is well-typed. The module
// knows neither captures nor command lines.

/// A field of conditions.
package struct Field: Sendable, Equatable {
  package enum Kind: Sendable, Equatable { case number, duration, size, status, text, time, flag }

  /// Letters, digits and dots.
  package let name: String
  /// Its id for the subject.
  package let id: Int
  package let kind: Kind
  /// The only texts that it can have; empty where it can have any.
  package let words: [String]

  package init(_ name: String, id: Int, _ kind: Kind, words: [String] = []) {
    self.name = name
    self.id = id
    self.kind = kind
    self.words = words
  }
}

/// All fields.
package struct Vocabulary: Sendable, Equatable {
  package let fields: [Field]

  package init(_ fields: [Field]) {
    self.fields = fields
  }

  func field(named name: String) -> Field? { fields.first { $0.name == name } }
}

extension Field.Kind {
  /// Its name in error messages.
  var words: String {
    switch self {
    case .number: "a number"
    case .duration: "a duration"
    case .size: "a size"
    case .status: "a status"
    case .text: "text"
    case .time: "a time"
    case .flag: "a flag"
    }
  }

  /// What it may be compared with.
  var example: String {
    switch self {
    case .number: "42"
    case .duration: "250ms"
    case .size: "64KiB"
    case .status: "200 or 2xx"
    case .text: "\"text\""
    case .time: "1.5s or \"12:30:00\""
    case .flag: "nothing"
    }
  }

  var hasOrder: Bool { self != .text && self != .flag }
}

/// A mistake in a condition, with its place.
package struct ConditionError: Error, Equatable, Sendable {
  /// From 1, in characters.
  package var column: Int
  package var message: String
  /// An unknown word, and candidates for what was meant.
  package var word: String?
  package var candidates: [String] = []

  init(_ column: Int, _ message: String, word: String? = nil, candidates: [String] = []) {
    self.column = column
    self.message = message
    self.word = word
    self.candidates = candidates
  }
}

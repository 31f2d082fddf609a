/// What was found of the members of one item.
struct AnswerFacts: Sendable {
  /// Those that are there and not null.
  private var present: UInt128 = 0
  /// Of those, the strings, arrays and objects that are not empty, the numbers, and what is true.
  private var filled: UInt128 = 0
  private var texts: [(field: AnswerField, text: [UInt8])] = []
  private var numbers: [(field: AnswerField, number: UInt64)] = []

  mutating func clear() {
    present = 0
    filled = 0
    if !texts.isEmpty { texts.removeAll(keepingCapacity: true) }
    if !numbers.isEmpty { numbers.removeAll(keepingCapacity: true) }
  }

  mutating func note(_ field: AnswerField, isFilled: Bool) {
    present |= field.bit
    if isFilled { filled |= field.bit }
  }

  /// Bounded: one value of each field.
  mutating func note(_ field: AnswerField, text: [UInt8]) {
    if text.isEmpty || texts.contains(where: { $0.field == field }) { return }
    texts.append((field, text))
  }

  mutating func note(_ field: AnswerField, number: UInt64) {
    if !numbers.contains(where: { $0.field == field }) { numbers.append((field, number)) }
  }

  func has(_ field: AnswerField) -> Bool { present & field.bit != 0 }
  func isFilled(_ field: AnswerField) -> Bool { filled & field.bit != 0 }
  func isFilled(anyOf fields: [AnswerField]) -> Bool { fields.contains { isFilled($0) } }
  func number(_ field: AnswerField) -> UInt64? { numbers.first { $0.field == field }?.number }

  func reads(_ field: AnswerField, _ text: String) -> Bool {
    texts.first { $0.field == field }?.text.elementsEqual(text.utf8) == true
  }

  func begins(_ field: AnswerField, _ text: String) -> Bool {
    texts.first { $0.field == field }?.text.starts(with: text.utf8) == true
  }

  /// The value where it has the form of a name: nothing else of an answer is ever shown.
  func name(_ field: AnswerField) -> String? {
    guard let text = texts.first(where: { $0.field == field })?.text, text.count < JSONSkim.textLimit,
      text.allSatisfy({ Self.isOfName($0) })
    else { return nil }
    return String(decoding: text, as: UTF8.self)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}

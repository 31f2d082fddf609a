/// Names in the order people count them: `cap.pcap2` before `cap.pcap10`.
package enum NaturalOrder {
  package static func isBefore(_ first: String, _ second: String) -> Bool {
    let (left, right) = (parts(of: first), parts(of: second))
    for (one, other) in zip(left, right) where one != other {
      switch (one, other) {
      case (.number(let a), .number(let b)): return a < b
      case (.text(let a), .text(let b)): return a < b
      case (.number, .text): return true
      case (.text, .number): return false
      }
    }
    return left.count == right.count ? first < second : left.count < right.count
  }

  package enum Part: Hashable {
    case text(String)
    /// What does not fit is the largest number.
    case number(UInt64)
  }

  /// Runs of digits and what is between them.
  package static func parts(of name: String) -> [Part] {
    var parts: [Part] = []
    var rest = name.utf8[...]
    while let byte = rest.first {
      let isDigit = (0x30...0x39).contains(byte)
      let run = rest.prefix { (0x30...0x39).contains($0) == isDigit }
      rest = rest[run.endIndex...]
      parts.append(isDigit ? .number(UInt64(Substring(run)) ?? .max) : .text(String(Substring(run))))
    }
    return parts
  }
}

/// Lines of text under construction.
struct TextBlock {
  private(set) var bytes: [UInt8] = []
  /// For terminals that have nothing else: what is not ASCII is spelled out before lines are measured.
  private let isASCII: Bool
  private let isColored: Bool

  init(_ style: TextStyle = TextStyle()) {
    isASCII = style.isASCII
    isColored = style.isColored
  }

  /// Every line of text passes here; see Ink for what a line may hold.
  mutating func line(_ text: String = "") {
    Ink.append(spelled(text), isColored: isColored, to: &bytes)
    bytes.append(0x0A)
  }

  /// Words broken into lines no longer than `width`, each after `indent`; the first after `first` instead, if given.
  mutating func paragraph(_ text: String, indent: String, first: String? = nil, width: Int) {
    let words = spelled(text).split { $0 == " " || $0 == "\n" }
    fill(words, between: " ", first: spelled(first ?? indent), indent: indent, width: width)
  }

  /// Parts set apart by `space`, on as few lines as they fit on; only a part longer than a line is broken.
  mutating func parts(
    _ parts: [String], between space: String = "   ", indent: String, first: String? = nil, width: Int
  ) {
    let spelledFirst = spelled(first ?? indent)
    let whole = parts.flatMap { part -> [Substring] in
      let text = spelled(part)
      return text.visibleCount + indent.count <= width ? [text[...]] : text.broken(at: width - indent.count)
    }
    fill(whole, between: spelled(space), first: spelledFirst, indent: indent, width: width)
  }

  private mutating func fill(_ pieces: [Substring], between space: String, first: String, indent: String, width: Int) {
    var current = first
    var isEmpty = true
    for piece in pieces {
      if !isEmpty, current.visibleCount + space.count + piece.visibleCount > width {
        line(current)
        current = indent
        isEmpty = true
      }
      current += (isEmpty ? "" : space) + piece
      isEmpty = false
    }
    if !isEmpty { line(current) }
  }

  /// Rows of cells under their headings, the first column from the left. What does not fit in `width` is left out,
  /// beginning with the last column.
  mutating func table(
    _ rows: [[String]], alignsRight: Bool, margins: [String], width: Int, after: (Int, inout Self) -> Void = { _, _ in }
  ) {
    guard let header = rows.first else { return }
    let widths = header.indices.map { column in rows.map { $0[column].visibleCount }.max() ?? 0 }
    let fitting = header.indices.last { last in widths[...last].reduce(0) { $0 + 3 + $1 } <= width } ?? 0
    for (index, row) in rows.enumerated() {
      let cells = (0...fitting).map { column in
        alignsRight && column > 0
          ? row[column].aligned(right: widths[column])
          : column == fitting ? row[column] : row[column].padded(to: widths[column])
      }
      var text = margins[index] + cells.joined(separator: "   ")
      while text.last == " " { text.removeLast() }
      line(text)
      after(index, &self)
    }
  }

  private func spelled(_ text: String) -> String {
    guard isASCII, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.unicodeScalars.reduce(into: "") { $0 += $1.isASCII || Ink.isMark($1.value) ? String($1) : $1.asASCII }
  }

  mutating func taken() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

extension Unicode.Scalar {
  /// The program's own symbols have an ASCII form; other characters are written by their number.
  fileprivate var asASCII: String {
    switch self {
    case "→": "->"
    case "←": "<-"
    case "·": "-"
    case "⋮": ":"
    case "…": "..."
    case "┐", "┘": "+"
    case "│": "|"
    case "░": "."
    case "█": "#"
    case "§": "section "
    case "×": "x"
    default: "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}

extension StringProtocol {
  /// Columns on a terminal: colour marks take none.
  var visibleCount: Int { reduce(0) { Ink.isMark($1) ? $0 : $0 + 1 } }

  /// The text in lines of at most `width`, broken between words.
  fileprivate func broken(at width: Int) -> [Substring] {
    var lines: [Substring] = []
    for word in Substring(self).split(separator: " ") {
      if let last = lines.last, last.visibleCount + 1 + word.visibleCount <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(word)
      }
    }
    return lines
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - visibleCount)) }
  func aligned(right width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - visibleCount)) + self }
}

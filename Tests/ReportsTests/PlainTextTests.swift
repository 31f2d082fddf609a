import Testing

@testable import Reports

@Suite("Text that JSON holds as it is")
struct PlainTextTests {
  private func isPlain(_ bytes: [UInt8], _ escapesMarkup: Bool) -> Bool {
    bytes.withUnsafeBytes { isPlainText($0, escapesMarkup) }
  }

  @Test("One byte decides, wherever it stands and however long the text is.", arguments: [false, true])
  func everyByte(escapesMarkup: Bool) {
    let special = Set("\"\\".utf8), markup = Set("<>&".utf8)
    for count in 1...20 {
      for place in 0..<count {
        for byte in UInt8.min...UInt8.max {
          var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
          text[place] = byte
          let isExpected =
            byte >= 0x20 && byte < 0x7F && !special.contains(byte) && !(escapesMarkup && markup.contains(byte))
          #expect(isPlain(text, escapesMarkup) == isExpected, "\(byte) at \(place) of \(count)")
        }
      }
    }
  }

  @Test("Nothing is plain.") func empty() { #expect(isPlain([], true)) }
}

import Citation
import Support
import Testing

@Suite("UTF-8 in pieces")
struct UTF8StreamTests {
  /// Bytes, the place of the first that cannot stand where it is, and whether the end is inside a character.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var fault: Int?
    var isOpen = false

    init(_ what: String, _ bytes: [UInt8], fault: Int? = nil, isOpen: Bool = false) {
      testDescription = what
      self.bytes = bytes
      self.fault = fault
      self.isOpen = isOpen
    }

    static let all: [Row] = [
      Row("nothing", []),
      Row("ASCII of every length", Array(repeating: 0x61, count: 77)),
      Row("characters of one to four bytes", Array("aé€😀".utf8)),
      Row("the last of each length", [0x7F, 0xDF, 0xBF, 0xEF, 0xBF, 0xBF, 0xF4, 0x8F, 0xBF, 0xBF]),
      Row("the first of each length", [0x00, 0xC2, 0x80, 0xE0, 0xA0, 0x80, 0xF0, 0x90, 0x80, 0x80]),
      Row("what stands around the surrogates", [0xED, 0x9F, 0xBF, 0xEE, 0x80, 0x80]),
      Row("an overlong slash", [0xC0, 0xAF], fault: 0),
      Row("an overlong form of three", [0x61, 0xE0, 0x9F, 0xBF], fault: 2),
      Row("an overlong form of four", [0xF0, 0x8F, 0xBF, 0xBF], fault: 1),
      Row("a surrogate", [0xED, 0xA0, 0x80], fault: 1),
      Row("above U+10FFFF", [0xF4, 0x90, 0x80, 0x80], fault: 1),
      Row("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80], fault: 0),
      Row("a continuation alone", Array(repeating: 0x61, count: 40) + [0x80], fault: 40),
      Row("a character that another begins in", [0xE2, 0x82, 0xC3, 0xA4], fault: 2),
      Row("ASCII in a character", [0xE2, 0x61], fault: 1),
      Row("an end inside of two", [0x61, 0xC3], isOpen: true),
      Row("an end inside of four", [0xF0, 0x9F, 0x98], isOpen: true),
    ]
  }

  @Test("The first byte that cannot stand where it is, at every cut.", arguments: Row.all)
  func verdicts(_ row: Row) {
    for cut in 0...row.bytes.count {
      var stream = UTF8Stream()
      var fault = stream.take(row.bytes.span.extracting(0..<cut))
      if fault == nil {
        fault = stream.take(row.bytes.span.extracting(cut..<row.bytes.count)).map { $0 + cut }
      }
      #expect(fault == row.fault)
      if row.fault == nil { #expect(stream.isOpen == row.isOpen) }
    }
  }

  @Test("Bytes at random, by piece as byte by byte, and as the standard library judges them.")
  func definition() {
    var random = SplitMix64(seed: 53)
    let letters = Array("aaaaaaaaé€😀".utf8) + [0x80, 0xC3, 0xED, 0xF4, 0xFF]
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
      var stream = UTF8Stream()
      let isWhole = stream.take(bytes.span) == nil && !stream.isOpen
      #expect(isWhole == (String(validating: bytes, as: UTF8.self) != nil))
      var single = UTF8Stream()
      var piece = UTF8Stream()
      var faults: [Int] = []
      for (index, byte) in bytes.enumerated() where !single.take(byte) { faults.append(index) }
      var start = 0
      while let fault = piece.take(bytes.span.extracting(start..<bytes.count)) {
        #expect(faults.first == start + fault)
        faults.removeFirst(min(1, faults.count))
        start += fault + 1
      }
      #expect(faults.isEmpty && single == piece)
    }
  }
}

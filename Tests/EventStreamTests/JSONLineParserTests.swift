import Citation
import EventStream
import Support
import Testing

@Suite("Lines of JSON")
struct JSONLineParserTests {
  static let rows: [StreamRow] = [
    StreamRow("two lines", "{\"a\":1}\n[2]\n", ["line 0..<8", "line 8..<12"]),
    StreamRow("CRLF", "1\r\n2\r\n", ["line 0..<3", "line 3..<6"]),
    StreamRow("an empty line between", "1\n\n \n2\n", ["line 0..<2", "empty", "empty", "line 5..<7"]),
    StreamRow("no line feed at the end", "1\n22", ["line 0..<2", "unfinished 2..<4"]),
    StreamRow("nothing", "", []),
  ]

  private static func words(_ tokens: [JSONLineToken]) -> [String] {
    tokens.map { token in
      switch token {
      case .line(let line): "line \(line.range)"
      case .emptyLine: "empty"
      case .unfinished(let line): "unfinished \(line.range)"
      }
    }
  }

  @Test("Each line ends with a line feed.", arguments: rows)
  func lines(_ row: StreamRow) {
    #expect(Self.words(Feeding().lines(row.bytes)) == row.words)
  }

  @Test("The same at every cut.", arguments: rows)
  func cuts(_ row: StreamRow) {
    let whole = Feeding().lines(row.bytes)
    for cut in 0...row.bytes.count { #expect(Feeding().lines(row.bytes, cutAt: [cut]) == whole) }
    #expect(Feeding().lines(row.bytes, cutAt: Array(0..<row.bytes.count)) == whole)
  }

  @Test("The same in any segments.")
  func segments() {
    var random = SplitMix64(seed: 43)
    for _ in 0..<1_000 {
      let bytes = (0..<40).map { _ in Array("{1 \r\n\n".utf8).randomElement(using: &random) ?? 0 }
      let cuts = (0..<5).map { _ in Int.random(in: 0...40, using: &random) }.sorted()
      #expect(Feeding().lines(bytes, cutAt: cuts) == Feeding().lines(bytes))
    }
  }

  @Test("A line knows its packets.")
  func packets() {
    let tokens = Feeding(numbersPackets: true).lines(Array("{}\n".utf8), cutAt: [1, 2])
    guard case .line(let line)? = tokens.first else {
      Issue.record("no line")
      return
    }
    #expect([line.first.number, line.last.number, line.completed.number] == [1, 2, 3])
  }
}

import Citation
import EventStream
import Support
import Testing

/// A stream, and what is reported of it.
struct StreamRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let bytes: [UInt8]
  let words: [String]

  init(_ what: String, _ text: String, _ words: [String]) {
    testDescription = what
    bytes = Array(text.utf8)
    self.words = words
  }

  init(_ what: String, bytes: [UInt8], _ words: [String]) {
    testDescription = what
    self.bytes = bytes
    self.words = words
  }
}

@Suite("Events of a stream")
struct EventStreamParserTests {
  static let rows: [StreamRow] = [
    StreamRow("one line", "data: hello\n\n", ["event 5/1"]),
    StreamRow("without the space", "data:hello\n\n", ["event 5/1"]),
    StreamRow("two spaces: one is data", "data:  hello\n\n", ["event 6/1"]),
    StreamRow("CRLF", "data: a\r\n\r\ndata: bc\r\n\r\n", ["event 1/1", "event 2/1"]),
    StreamRow("CR", "data: a\r\rdata: bc\r\r", ["event 1/1", "event 2/1"]),
    StreamRow(
      "all line ends mixed", "data: a\r\n\ndata: b\n\r\ndata: c\r\n\r", ["event 1/1", "event 1/1", "event 1/1"]),
    StreamRow("several lines are joined by line feeds", "data: ab\ndata\ndata: c\n\n", ["event 5/3"]),
    StreamRow("an event without data", "event: ping\n\n", ["event 0/0 ping"]),
    StreamRow("an empty line of data is data", "data\n\n", ["event 0/1"]),
    StreamRow("a name", "event: delta\ndata: x\n\ndata: y\n\n", ["event 1/1 delta", "event 1/1"]),
    StreamRow("a comment alone is no event", ": hello\n\n:\n\n", ["comment", "comment"]),
    StreamRow("a comment inside an event", "data: a\n:c\ndata: b\n\n", ["comment", "event 3/2"]),
    StreamRow("retry", "retry: 3000\n\nretry:5\ndata: a\n\n", ["retry 3000", "retry 5", "event 1/1"]),
    StreamRow("retry beyond every number", "retry: 99999999999999999999999\n\n", ["retry \(UInt64.max)"]),
    StreamRow(
      "retry with a unit", "retry: 3s\n\nretry:\n\nretry: -1\n\n", ["retryInvalid", "retryInvalid", "retryInvalid"]),
    StreamRow("an id with NUL", "id: a\0b\ndata: x\n\n", ["idNUL", "event 1/1"]),
    StreamRow("a byte order mark at the beginning", "\u{FEFF}data: x\n\n", ["event 1/1"]),
    StreamRow("and a second one", "\u{FEFF}\u{FEFF}data: x\n\n", ["byteOrderMark"]),
    StreamRow("one before a later event", "data: x\n\n\u{FEFF}data: y\n\n", ["event 1/1", "byteOrderMark"]),
    StreamRow("one in data is data", "data: \u{FEFF}\n\n", ["event 3/1"]),
    StreamRow("half a byte order mark", bytes: [0xEF, 0xBB, 0x0A, 0x0A], ["invalidUTF8", "unknownField"]),
    StreamRow("half a byte order mark at the end", bytes: [0xEF, 0xBB], []),
    StreamRow("another character that begins like it", "\u{FEFE}: 1\n\n", ["unknownField"]),
    StreamRow("unknown fields", "foo: 1\n\nDATA: x\n\ndata : x\n\n", ["unknownField", "unknownField", "unknownField"]),
    StreamRow("a misspelled field behind data", "data: x\nEvent: y\n\n", ["unknownField", "event 1/1"]),
    StreamRow(
      "pretty-printed JSON", "data: {\n  \"a\": 1,\n  \"b\": 2\n}\n\n",
      ["strayLine", "strayLine", "strayLine", "event 1/1"]),
    StreamRow("without an empty line", "data: a\ndata: b\n", ["unfinished 3/2"]),
    StreamRow("without a line end", "data: a", ["unfinished 1/1"]),
    StreamRow("the last name alone", "data: a\n\neve", ["event 1/1", "unfinished 0/0"]),
    StreamRow("a comment at the end", "data: a\n\n: b", ["event 1/1"]),
    StreamRow("wrong UTF-8", bytes: Array("data: ".utf8) + [0xC3, 0x28, 0x0A, 0x0A], ["invalidUTF8", "event 2/1"]),
    StreamRow(
      "a character cut by a line end", bytes: Array("data: ".utf8) + [0xE2, 0x82, 0x0A, 0x0A],
      ["invalidUTF8", "event 2/1"]),
    StreamRow(
      "a surrogate and an overlong form", bytes: Array("data: ".utf8) + [0xED, 0xA0, 0x80, 0xC0, 0x80, 0x0A, 0x0A],
      ["invalidUTF8", "invalidUTF8", "invalidUTF8", "invalidUTF8", "event 5/1"]),
    StreamRow(
      "a character begins where another breaks off", bytes: Array("data: ".utf8) + [0xC3, 0xC3, 0xA4, 0x0A, 0x0A],
      ["invalidUTF8", "event 3/1"]),
    StreamRow("four bytes", "data: 😀\n\n", ["event 4/1"]),
    StreamRow("nothing", "", []),
    StreamRow("empty lines", "\n\r\n\r\r\n", []),
  ]

  @Test("What a receiver would see, and what it would ignore.", arguments: rows)
  func tokens(_ row: StreamRow) {
    #expect(Feeding().tokens(row.bytes).map(\.words) == row.words)
  }

  @Test("The same at every cut, and at every two.", arguments: rows)
  func cuts(_ row: StreamRow) {
    let whole = Feeding().tokens(row.bytes)
    for first in 0...row.bytes.count {
      for second in first...row.bytes.count {
        #expect(Feeding().tokens(row.bytes, cutAt: [first, second]) == whole)
      }
    }
    #expect(Feeding().tokens(row.bytes, cutAt: Array(0..<row.bytes.count)) == whole)
  }

  @Test("The same in any segments.")
  func segments() {
    var random = SplitMix64(seed: 41)
    let words = ["data: x", "data:", "id: 7", ": c", "event: e", "retry: 9", "foo", "\u{FEFF}data: y", "ä€😀"]
    let ends = ["\n", "\r", "\r\n", "\n\n", "\r\n\r\n"]
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        text += words.randomElement(using: &random) ?? ""
        text += ends.randomElement(using: &random) ?? ""
      }
      var bytes = Array(text.utf8)
      if Bool.random(using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let cuts = (0..<Int.random(in: 0...8, using: &random)).map { _ in Int.random(in: 0...bytes.count, using: &random)
      }
      #expect(Feeding().tokens(bytes, cutAt: cuts.sorted()) == Feeding().tokens(bytes))
    }
  }

  @Test("An event knows the packets of its bytes, and the one that completed it.")
  func packets() throws {
    let bytes = Array("id: 1\ndata: hello\n\ndata: x\n\n".utf8)
    let tokens = Feeding(numbersPackets: true).tokens(bytes, cutAt: [3, 12, 18])
    guard case .event(let event)? = tokens.first else { throw Missing() }
    #expect([event.first.number, event.last.number, event.completed.number] == [1, 3, 4])
    #expect(event.range == 0..<19)
    guard case .event(let next)? = tokens.last else { throw Missing() }
    #expect([next.first.number, next.last.number, next.completed.number] == [4, 4, 4])
    #expect(next.range == 19..<28)
  }

  private struct Missing: Error {}

  @Test("What is kept is bounded, whatever comes.")
  func bounds() {
    var parser = EventStreamParser()
    var tokens: [EventStreamToken] = []
    let long = Array(
      ("id: " + String(repeating: "i", count: 9_999) + "\nevent: " + String(repeating: "e", count: 9_999)).utf8)
    let bytes = long + Array("\ndata: ".utf8) + [UInt8](repeating: 0x61, count: 100_000) + [0x0A, 0x0A]
    parser.consume(
      CitedBytes(bytes.span, at: 0, in: .none, released: .none), into: &tokens)
    #expect(parser.lastID.count == EventStreamParser.idLimit)
    #expect(tokens.map(\.words) == ["event 100000/1 " + String(repeating: "e", count: EventStreamParser.nameLimit)])
  }

  @Test("An id stays until another one comes; an empty one takes it back.")
  func ids() {
    var parser = EventStreamParser()
    var tokens: [EventStreamToken] = []
    var offset: UInt64 = 0
    for (text, id) in [
      ("id: 7\ndata: x\n\n", "7"), ("data: y\n\n", "7"), ("id: 8\ndata: z\n", "7"), ("\n", "8"), ("id\n\n", ""),
    ] {
      let bytes = Array(text.utf8)
      parser.consume(CitedBytes(bytes.span, at: offset, in: .none, released: .none), into: &tokens)
      offset += UInt64(bytes.count)
      #expect(parser.lastID == Array(id.utf8))
    }
  }

  @Test("After a hole nothing is judged before the next empty line.")
  func hole() {
    var parser = EventStreamParser()
    var tokens: [EventStreamToken] = []
    let before = Array("data: a\n\ndata: b".utf8)
    let after = Array("rest\nfoo\n\ndata: c\n\n".utf8)
    parser.consume(CitedBytes(before.span, at: 0, in: .none, released: .none), into: &tokens)
    parser.skip(gap: 16..<20, into: &tokens)
    parser.consume(CitedBytes(after.span, at: 20, in: .none, released: .none), into: &tokens)
    parser.finish(.fin, into: &tokens)
    #expect(tokens.map(\.words) == ["event 1/1", "event 1/1"])
  }
}

import Citation
import HTTP1
import HTTPSemantics
import Support
import Testing

struct SemanticsTests {
  private func block(_ fields: String) throws -> HeaderBlock {
    try #require(Feeding(role: .request).tokens("GET / HTTP/1.1\r\n\(fields)\r\n").heads.first).block
  }

  @Test("fields keep their order, their case, and are found without it")
  func lookup() throws {
    let block = try block("X-A: 1\r\nhOSt:  h \r\nx-a:2\r\n")
    #expect(block.fields.map { block.name($0) } == ["X-A", "hOSt", "x-a"])
    #expect(block.all("x-a").map { block.value($0) } == ["1", "2"])
    #expect(block.value("host") == "h")
    #expect(block.value("absent") == nil)
  }

  @Test("the spelling of a section is that of its names, whatever the values")
  func spelling() throws {
    let one = try block("Host: a\r\nX-Long-Name-Of-Some-Kind: b\r\n").spelling
    #expect(try block("Host: other\r\nX-Long-Name-Of-Some-Kind:\r\n").spelling == one)
    let others = [
      "host: a\r\nX-Long-Name-Of-Some-Kind: b\r\n", "Host: a\r\nX-Long-Name-of-Some-Kind: b\r\n",
      "Host: a\r\nX-Long-Name-Of-Some-Kinds: b\r\n", "Host: a\r\nX-Long-Name-Of-Some-KinD: b\r\n",
      "X-Long-Name-Of-Some-Kind: b\r\nHost: a\r\n", "Host: a\r\n", "HostX-Long-Name-Of-Some-Kind: b\r\n",
    ]
    for other in others { #expect(try block(other).spelling != one) }
  }

  @Test("an underscore is seen at any place of a name, and none in a value", arguments: 1...20)
  func underscore(length: Int) throws {
    let name = [UInt8](repeating: UInt8(ascii: "a"), count: length)
    #expect(try !block("\(String(decoding: name, as: UTF8.self)): _\r\nx^`-: __\r\n").hasUnderscore)
    for place in name.indices {
      var name = name
      name[place] = UInt8(ascii: "_")
      #expect(try block("X: 1\r\n\(String(decoding: name, as: UTF8.self)): 2\r\n").hasUnderscore)
    }
  }

  /// By their length names are compared by one, four or eight bytes at once.
  private static let names: [StaticString] = [
    "te", "age", "host", "range", "upgrade", "location", "keep-alive", "content-type", "x-8-or-4-by-one",
    "content-encoding", "transfer-encoding", "sec-websocket-extensions",
  ]

  @Test("a name is compared without case, and any other byte at any place is another name", arguments: names.indices)
  func comparison(index: Int) {
    let name = Self.names[index]
    let letters = name.withUTF8Buffer { Array($0) }
    let count = letters.count
    func isNamed(_ bytes: [UInt8], _ place: Range<Int>) -> Bool { matches(bytes.span, place, name) }
    for at in letters.indices {
      for byte in UInt8.min...UInt8.max {
        var line: [UInt8] = [0x20, 0x20, 0x20] + letters
        line[3 + at] = byte
        let isCapital = (0x41...0x5A).contains(byte)
        let isSame = byte == letters[at] || isCapital && byte | 0x20 == letters[at]
        let found = isNamed(line, 3..<3 + count)
        if found != isSame { Issue.record("byte \(byte) at \(at) of \(name)") }
      }
    }
    let line = letters + letters
    #expect(!isNamed(line, 0..<count - 1))
    #expect(!isNamed(line, 0..<count + 1))
    #expect(!isNamed(line, count + 1..<2 * count + 1))
    #expect(isNamed(line, count..<2 * count))
  }

  @Test("list values are split outside quoted strings, over all fields of a name")
  func lists() throws {
    let block = try block("Accept: a, \"b,\\\"c\" ,,d\r\nX: y\r\naccept: E\r\n")
    #expect(block.elements("accept").map { block.text(of: $0) } == ["a", "\"b,\\\"c\"", "", "d", "E"])
    #expect(block.contains("e", in: "accept"))
    #expect(!block.contains("c", in: "accept"))
  }

  @Test("folded lines are joined by one space")
  func folds() throws {
    let block = try block("A: one\r\n  two \r\n\tthree\r\nB: x\r\n")
    #expect(block.value("a") == "one two three")
    #expect(block.value("b") == "x")
  }

  @Test("bytes that are not UTF-8 become Latin-1")
  func encodings() throws {
    let block = try block("A: \u{E9}\r\nB: \u{C3}\u{A9}\r\n")
    #expect(block.value("a") == "é")
    #expect(block.value("b") == "é")
  }

  @Test(
    "a media type is read with its parameters",
    arguments: [
      ("text/html", "text/html", true, nil), ("Text/HTML; Charset=UTF-8", "text/html", true, "UTF-8"),
      ("a/b;x=\"1;2\" ; charset=\"q\\\"r\"", "a/b", true, "q\"r"), ("html", "html", false, nil),
      ("/", "/", false, nil), ("", "", false, nil),
    ] as [(String, String, Bool, String?)])
  func contentType(value: String, essence: String, wellFormed: Bool, charset: String?) throws {
    let type = try #require(try block("Content-Type: \(value)\r\n").contentType)
    #expect(type.essence == essence)
    #expect(type.isWellFormed == wellFormed)
    #expect(type["charset"] == charset)
  }

  @Test(
    "the form of a target is told by its shape",
    arguments: [
      ("/a", RequestTarget.origin), ("*", .asterisk), ("http://h/", .absolute), ("h:443", .authority),
      ("[::1]:80", .authority), ("mailto:x", .other), ("x", .other),
    ])
  func targets(text: String, form: RequestTarget) throws {
    let head = try #require(Feeding(role: .request).tokens("GET \(text) HTTP/1.1\r\n\r\n").heads.first)
    #expect(head.targetForm == form)
  }

  @Test("methods are distinguished by case")
  func methods() {
    let names = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"]
    let expected: [Method] = [.get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, .query]
    #expect(names.map { Method(wire($0).span, 0..<$0.utf8.count) } == expected)
    #expect(names.allSatisfy { Method(wire($0.lowercased()).span, 0..<$0.utf8.count) == .other })
    #expect(names.allSatisfy { Method.isKnown($0) })
  }

  @Test("token characters are those of the grammar")
  func tokenCharacters() {
    let expected = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    #expect(Set((0...255 as ClosedRange<UInt8>).filter(\.isTokenCharacter)) == expected)
  }

  @Test("a trail beyond its limit is rounded outwards")
  func coarseTrail() {
    var trail = PacketTrail()
    for index in 0..<3000 { trail.note(.numbered(UInt64(index + 1)), at: index) }
    let exact = trail.span(of: 10..<20, base: 0)
    #expect(exact.first.number == 11 && exact.last.number == 20)
    let coarse = trail.span(of: 2000..<2010, base: 0)
    #expect(coarse.first.number <= 2001)
    #expect(coarse.last.number >= 2010)
  }
}

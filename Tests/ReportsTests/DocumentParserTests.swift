import Reports
import Support
import Testing

private func parse(_ text: String) -> DocumentNode? { try? DocumentParser.parse(Array(text.utf8)) }

private func compact(_ node: DocumentNode) -> String {
  var output: [UInt8] = []
  JSONWriter.append(to: &output, .compact) { $0.value(node) }
  return String(decoding: output, as: UTF8.self)
}

@Suite("Documents read again")
struct DocumentParserTests {
  @Test(
    "What is read is what stands there.",
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false\n", .bool(false)), ("0", .integer(0)), ("-0", .integer(0)),
      ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .number("9223372036854775808")),
      ("1.50", .number("1.50")), ("1e3", .number("1e3")), ("-2.5E-7", .number("-2.5E-7")),
      (#""""#, .string("")), (#""a\"b\\c\/d\b\f\n\r\t""#, .string("a\"b\\c/d\u{8}\u{C}\n\r\t")),
      (#""\u00e9\u20AC\ud83d\ude00""#, .string("é€😀")), ("\"é€😀\"", .string("é€😀")),
      (#""\ud83d""#, .string("\u{FFFD}")), (#""\ude00x""#, .string("\u{FFFD}x")),
      (#""\ud83d\u0041""#, .string("\u{FFFD}A")),
      ("[]", .array([])), ("[ ]", .array([])), ("[1,-2, 3]", .integers([1, -2, 3])),
      ("[1,\"a\",2]", .array([.integer(1), .string("a"), .integer(2)])),
      ("[1,2.5]", .array([.integer(1), .number("2.5")])), ("[[1],[]]", .array([.integers([1]), .array([])])),
      ("{}", .object([])),
      ("{ \"a\" : 1 , \"a\":[2] }", .object([.init("a", .integer(1)), .init("a", .integers([2]))])),
      ("\u{FEFF}1", .integer(1)),
    ] as [(String, DocumentNode)])
  func values(_ text: String, _ node: DocumentNode) {
    #expect(parse(text) == node)
  }

  @Test(
    "What is none says where it stops being one.",
    arguments: [
      ("", 0), ("  ", 2), ("nul", 0), ("tru", 0), ("[", 1), ("[1", 2), ("[1,", 3), ("[1,]", 3), ("[,1]", 1), ("{", 1),
      ("{a:1}", 1), ("{\"a\"}", 4), ("{\"a\":}", 5), ("{\"a\":1,}", 7), ("1 2", 2), ("01", 2), ("-", 1), ("1.", 2),
      ("1e", 2), ("1e+", 3), (".5", 0), ("+1", 0), ("\"a", 2), ("\"a\nb\"", 2), (#""\x""#, 3), (#""\u12g4""#, 5),
      ("\"\\", 2), ("'a'", 0), ("[1}", 2),
    ])
  func malformed(_ text: String, _ offset: Int) {
    #expect {
      try DocumentParser.parse(Array(text.utf8))
    } throws: {
      ($0 as? DocumentParser.Malformed)?.offset == offset
    }
  }

  @Test("Nesting has a bound, on both sides of which the answer is right.")
  func depth() {
    let nested = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
    #expect(parse(nested(64)) != nil)
    #expect(parse(nested(65)) == nil)
    #expect(parse(String(repeating: "[{\"a\":", count: 200_000)) == nil)
  }

  @Test("A tree that is written reads as the same tree; every beginning of it is malformed.")
  func roundTrip() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let node = Self.random(&random, depth: 0)
      let text = compact(.array([node, .string("end")]))
      #expect(parse(text) == .array([node, .string("end")]))
      let bytes = Array(text.utf8)
      let cut = Int(random.next() % UInt64(bytes.count))
      #expect((try? DocumentParser.parse(Array(bytes[..<cut]))) == nil)
    }
  }

  /// Only what parsing gives: an array of integers is a column.
  private static func random(_ random: inout SplitMix64, depth: Int) -> DocumentNode {
    let texts = ["", "a", "\"\\\n", "é\u{202E}😀", "</script>"]
    switch random.next() % (depth < 4 ? 8 : 5) {
    case 0: return .null
    case 1: return .bool(random.next() & 1 == 0)
    case 2: return .integer(Int64(bitPattern: random.next()))
    case 3: return .number("\(random.next() % 1_000).25")
    case 4: return .string(texts[Int(random.next() % UInt64(texts.count))])
    case 5: return .integers((0...random.next() % 3).map { _ in Int64(bitPattern: random.next()) })
    case 6:
      return .array([.null] + (0..<random.next() % 3).map { _ in Self.random(&random, depth: depth + 1) })
    default:
      return .object((0..<random.next() % 4).map { .init("k\($0)", Self.random(&random, depth: depth + 1)) })
    }
  }

  @Test("What is absent or of another type reads as nothing.")
  func lenient() throws {
    let node = try #require(parse(#"{"text":1,"list":{},"flag":"yes","n":2.5,"ints":[1,"x",3]}"#))
    #expect(node.text("text") == nil && node.elements("list").isEmpty && !node.flag("flag") && node.integer("n") == nil)
    #expect(node["n"]?.double == 2.5 && node.integers("ints") == [1, 3] && node["none"] == nil)
    #expect(node["text"]?["deeper"] == nil)
  }
}

import Testing

@testable import JSON5

@Suite("JSON5")
struct JSON5ParserTests {
  private func parse(_ text: String) throws -> JSON5Node.Value { try JSON5Parser.parse(Array(text.utf8)).value }

  @Test("Everything a hand may write.")
  func whole() throws {
    let node = try JSON5Parser.parse(
      Array(
        """
        // what is checked
        {
          select: ['sse/', "ws/",], /* and
          no more */ $key_1: -0x1F, 'a b': .5, list: [+1, 2., 1e3, Infinity, -NaN,],
          on: true, off: false, none: null, größe: 'it''s'
        }
        """.replacing("it''s", with: "it\\'s \\x41\\u00e4\\ud83d\\ude00 \\\n.").utf8))
    #expect(node["select"]?.elements?.map(\.string) == ["sse/", "ws/"])
    #expect(node["$key_1"]?.number == "-0x1F")
    #expect(node["a b"]?.number == ".5")
    #expect(node["list"]?.elements?.map(\.number) == ["+1", "2.", "1e3", "Infinity", "-NaN"])
    #expect(node["on"]?.value == .bool(true))
    #expect(node["off"]?.value == .bool(false))
    #expect(node["none"]?.value == .null)
    #expect(node["größe"]?.string == "it's Aä😀 .")
    #expect(node.fields?.first?.place == JSON5Node.Place(line: 3, column: 3))
    #expect(node["a b"]?.place == JSON5Node.Place(line: 4, column: 36))
  }

  @Test(
    "What is wrong says where.",
    arguments: [
      ("", 1, 1, "missing"), ("{", 1, 2, "ends inside"), ("{a 1}", 1, 4, "':'"), ("{a: 1\n b: 2}", 2, 2, "',' or '}'"),
      ("[1 2]", 1, 4, "',' or ']'"), ("{a: 1, a: 2}", 1, 8, "twice"), ("{a: hello}", 1, 5, "quotes"),
      ("{a: 5s}", 1, 6, "unit"), ("'abc", 1, 1, "no closing"), ("\"a\nb\"", 1, 1, "no closing"),
      ("/* x", 1, 1, "no end"),
      ("1 2", 1, 3, "unexpected text"), ("-", 1, 2, "digit"), ("0x", 1, 3, "hexadecimal"),
      ("'\\u12'", 1, 6, "4 hexadecimal"),
      ("'\\ud800'", 1, 4, "half"), ("[,]", 1, 2, "not a valid value"), ("{\r\n\r\n  ?}", 3, 3, "key"),
      ("'\\1'", 1, 3, "not a valid escape"),
    ] as [(String, Int, Int, String)])
  func malformed(_ text: String, line: Int, column: Int, what: String) throws {
    do {
      _ = try parse(text)
      Issue.record("\(text) was read")
    } catch let error as JSON5Parser.Malformed {
      #expect(error.place == JSON5Node.Place(line: line, column: column), "\(error)")
      #expect(error.what.contains(what), "\(error)")
    }
  }

  @Test("Length, depth and encoding are bounded.")
  func bounds() throws {
    #expect(throws: JSON5Parser.Malformed.self) { try parse(String(repeating: "[", count: 100_000)) }
    #expect(throws: JSON5Parser.Malformed.self) {
      try parse(String(repeating: " ", count: JSON5Parser.lengthLimit) + "1")
    }
    #expect(throws: JSON5Parser.Malformed.self) { try JSON5Parser.parse([0x27, 0xFF, 0x27]) }
    #expect(try parse(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)) != .null)
  }

  @Test("Whatever is cut off or changed, reading ends.")
  func hostile() {
    let text = Array("{a: ['x\\u0041', -1.5e+3, 0xFF, // c\n null, {'b': Infinity}], /* d */ }".utf8)
    for end in 0..<text.count { _ = try? JSON5Parser.parse(Array(text[..<end])) }
    for at in text.indices {
      for byte in [0x00, 0x22, 0x27, 0x2F, 0x5C, 0x7B, 0xFF] as [UInt8] {
        var changed = text
        changed[at] = byte
        _ = try? JSON5Parser.parse(changed)
      }
    }
  }
}

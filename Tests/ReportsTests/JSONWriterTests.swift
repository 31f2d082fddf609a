import Reports
import Testing

private func text(_ form: JSONWriter.Form = .compact, _ body: (inout JSONWriter) -> Void) -> String {
  var output: [UInt8] = []
  JSONWriter.append(to: &output, form, body)
  return String(decoding: output, as: UTF8.self)
}

private struct Point: JSONValue {
  var x: Int
  var y: Int?

  func write(to json: inout JSONWriter) {
    json.object {
      $0.field("x", x)
      $0.field("y", y)
    }
  }
}

private func sample(_ json: inout JSONWriter) {
  json.object {
    $0.field("schema", "streamscope.result/1")
    $0.object("empty") { _ in }
    $0.array("none") { _ in }
    $0.array("headers") {
      for name in ["Host", "Via"] { $0.value([name, "a"]) }
    }
    $0.field("points", [Point(x: 1, y: nil), Point(x: 2, y: 3)])
    $0.field("last", true)
  }
}

/// Everything that a writer can be asked for, once.
private func everything(_ json: inout JSONWriter) {
  json.array { list in
    list.array { _ in }
    list.array { for value in [3, -4] { $0.value(value) } }
    list.array { row in
      row.value(5)
      row.null()
    }
    list.row { row in
      row.field("decimal", decimal: -1_234, scale: 3)
      row.field("none", decimal: 0, scale: 2)
      row.field("large", UInt64.max)
      row.field("least", Int64.min)
      row.key("number")
      row.number("1e9")
      row.field("text", "a\"\\\n\u{202e}\u{1F600}<")
      _ = row.field("bytes", latin1: [0x68, 0xC3, 0xA9].span)
      _ = row.field("broken", latin1: [0x68, 0xE9, 0x01, 0x85].span)
      row.field("base64", base64: [1, 2, 3, 4].span)
    }
    list.tuple { $0.value(false) }
    list.line([])
    list.line([1, .max])
  }
}

@Suite struct JSONWriterTests {
  @Test("a tree is what reading the text gives", arguments: [JSONWriter.Form.compact, .document, .indented])
  func tree(_ form: JSONWriter.Form) throws {
    for body in [sample, everything] {
      #expect(JSONWriter.tree(form, body) == (try DocumentParser.parse(Array(text(form, body).utf8))))
    }
    #expect(JSONWriter.tree(form) { $0.value("alone") } == .string("alone"))
  }

  @Test("the compact form has no space, and keys keep their order")
  func compact() {
    #expect(
      text(.compact, sample) == #"{"schema":"streamscope.result/1","empty":{},"none":[],"headers":[["Host","a"],"#
        + #"["Via","a"]],"points":[{"x":1},{"x":2,"y":3}],"last":true}"#)
  }

  @Test("the indented form has one value a line")
  func indented() {
    #expect(
      text(.indented, sample) == """
        {
          "schema": "streamscope.result/1",
          "empty": {},
          "none": [],
          "headers": [
            [
              "Host",
              "a"
            ],
            [
              "Via",
              "a"
            ]
          ],
          "points": [
            {
              "x": 1
            },
            {
              "x": 2,
              "y": 3
            }
          ],
          "last": true
        }
        """)
  }

  @Test("every kind of value")
  func values() {
    let written = text {
      $0.array {
        $0.value(Int.min)
        $0.value(UInt64.max)
        $0.value(Int64.max)
        $0.value(UInt32.max)
        $0.value(UInt16.max)
        $0.value(UInt8.max)
        $0.value(0)
        $0.value(false)
        $0.null()
        $0.value("s")
        $0.value([[1, 2], []])
      }
    }
    #expect(
      written == "[-9223372036854775808,18446744073709551615,9223372036854775807,4294967295,65535,255,0,false,null,"
        + "\"s\",[[1,2],[]]]")
  }

  @Test(
    "a decimal is an integer with a point in it",
    arguments: [
      (1234, 3, "1.234"), (-5, 3, "-0.005"), (0, 3, "0.000"), (1500, 3, "1.500"), (7, 0, "7"), (-7, 0, "-7"),
      (10, 1, "1.0"), (.min, 9, "-9223372036.854775808"), (.max, 18, "9.223372036854775807"),
      (1, 25, "0.0000000000000000000000001"), (12, -3, "12"),
    ] as [(Int64, Int, String)])
  func decimals(value: Int64, scale: Int, expected: String) {
    #expect(text { $0.decimal(value, scale: scale) } == expected)
    #expect(text { json in json.object { $0.field("d", decimal: value, scale: scale) } } == "{\"d\":\(expected)}")
  }

  @Test("integers have their digits, from one to twenty, and as many zeros in front as are asked for")
  func digits() {
    var value: UInt64 = 1
    for count in 1...20 {
      for number in [value, value - 1, value + 7, value == 1 ? 9 : value / 9 * 7] {
        #expect(text { $0.value(number) } == String(number))
        var padded: [UInt8] = [UInt8(ascii: "x")]
        padded.append(digits: number, atLeast: 20)
        let digits = String(number)
        #expect(
          String(decoding: padded, as: UTF8.self) == "x" + String(repeating: "0", count: 20 - digits.count) + digits)
      }
      if count < 20 { value *= 10 }
    }
    #expect(text { $0.value(UInt64.max) } == "18446744073709551615")
  }

  @Test("a column has every number in its place, however long it is", arguments: [1, 63, 64, 65, 128, 200])
  func column(count: Int) {
    let kinds: [Int64] = [.min, .max, 0, -1, 10]
    let values = (0..<count).map { kinds[$0 % kinds.count] }
    var json = JSONWriter(.compact)
    json.line(values)
    #expect(String(decoding: json.bytes, as: UTF8.self) == "[\(values.map(String.init).joined(separator: ","))]")
  }

  @Test("a document holds no integer that a reader may get wrong")
  func bounded() {
    for form in [JSONWriter.Form.document, .documentLine] {
      var json = JSONWriter(form)
      json.array {
        $0.value(UInt64.max)
        $0.value(Int64.max)
        $0.value(Int64.min)
        $0.value(JSONWriter.largestExact)
        $0.value(UInt64(1) << 53)
        $0.line([.max, -7])
      }
      let written = String(decoding: json.bytes, as: UTF8.self).filter { !$0.isWhitespace }
      let most = "9007199254740991"
      #expect(written == "[\(most),\(most),-\(most),\(most),\(most),[\(most),-7]]")
    }
  }

  @Test("a field without a value is left out")
  func leftOut() {
    let written = text {
      $0.object {
        $0.field("a", String?.none)
        $0.field("b", Int?.some(1))
        $0.field("c", unlessEmpty: [Int]())
        $0.field("d", unlessEmpty: [2])
      }
    }
    #expect(written == #"{"b":1,"d":[2]}"#)
  }

  @Test("objects can be begun and ended by hand, one a line, into a reused buffer")
  func lines() {
    var json = JSONWriter(reusing: Array("#\n".utf8))
    for number in 1...2 {
      json.beginObject()
      json.field("n", number)
      json.key("a")
      json.beginArray()
      json.endArray()
      json.endObject()
      json.endLine()
    }
    #expect(String(decoding: json.bytes, as: UTF8.self) == "#\n{\"n\":1,\"a\":[]}\n{\"n\":2,\"a\":[]}\n")
  }

  @Test("what is in the buffer stays when the body throws")
  func throwing() {
    struct Stop: Error {}
    var output = Array("x".utf8)
    #expect(throws: Stop.self) {
      try JSONWriter.append(to: &output) { json throws(Stop) in
        json.value(1)
        throw Stop()
      }
    }
    #expect(output == Array("x1".utf8))
  }
}

@Suite struct JSONStringTests {
  @Test(
    "strings are escaped",
    arguments: [
      ("a\"b\\c/", #""a\"b\\c/""#), ("\n\r\t\u{8}\0", #""\n\r\t\u0008\u0000""#), ("\u{7F}\u{9B}", #""\u007f\u009b""#),
      ("\u{202E}\u{2066}\u{200F}\u{61C}", #""\u202e\u2066\u200f\u061c""#), ("\u{FEFF}\u{2028}", #""\ufeff\u2028""#),
      ("\u{E0041}", #""\udb40\udc41""#), ("ü€🎉", #""ü€🎉""#), ("", #""""#), ("<a&b>", #""<a&b>""#),
    ])
  func escapes(string: String, expected: String) {
    #expect(text { $0.string(string) } == expected)
    #expect(text { json in json.object { $0.field(FieldName(string), string) } } == "{\(expected):\(expected)}")
  }

  @Test("the embedded form cannot end a script element")
  func embedded() {
    #expect(text(.embedded) { $0.string("</script><!--&") } == #""\u003c/script\u003e\u003c!--\u0026""#)
  }

  @Test(
    "bytes that are not UTF-8 are Latin-1 with visible controls",
    arguments: [
      (Array("plain é\n".utf8), #""plain é\n""#, true), ([0x61, 0xE9], #""aé""#, false),
      ([0xFF, 0x00, 0x0A, 0x1B, 0x7F, 0x9B], #""ÿ\\x00\\n\\x1B\\x7F\\x9B""#, false),
      ([0xFF, 0x22, 0x5C, 0xAD], #""ÿ\"\\\u00ad""#, false), ([], #""""#, true),
    ] as [([UInt8], String, Bool)])
  func latin1(bytes: [UInt8], expected: String, isUTF8: Bool) {
    var json = JSONWriter()
    let answer = json.string(latin1: bytes.span)
    #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    #expect(answer == isUTF8)
  }

  @Test("raw bytes stand beside their text as Base64")
  func raw() {
    let bytes: [UInt8] = [0xFF, 0xFE]
    var json = JSONWriter()
    json.beginObject()
    if !json.field("value", latin1: bytes.span) { json.field("raw", base64: bytes.span) }
    json.endObject()
    #expect(String(decoding: json.bytes, as: UTF8.self) == #"{"value":"ÿþ","raw":"//4="}"#)
  }

  @Test("a reader gets back every character, and none that steers is raw", arguments: 0..<20)
  func roundTrip(seed: UInt64) throws {
    for bytes in untrustedSamples(seed: seed) {
      let string = String(decoding: bytes, as: UTF8.self)
      for form in [JSONWriter.Form.compact, .embedded] {
        let written = text(form) { $0.string(string) }
        #expect(!written.unicodeScalars.contains(where: isForbidden))
        #expect(try decoded(written).unicodeScalars.elementsEqual(string.unicodeScalars))
      }
    }
  }

  @Test("bytes of any kind give a string without anything that steers", arguments: 0..<20)
  func bytes(seed: UInt64) throws {
    for bytes in untrustedSamples(seed: seed) {
      var json = JSONWriter()
      let isUTF8 = json.string(latin1: bytes.span)
      let written = String(decoding: json.bytes, as: UTF8.self)
      #expect(!written.unicodeScalars.contains(where: isForbidden))
      let string = try decoded(written)
      if isUTF8 {
        #expect(Array(string.utf8) == bytes)
      } else {
        #expect(!string.unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
      }
    }
  }

  /// A JSON string read as RFC 8259 §7 says, strictly.
  private func decoded(_ written: String) throws -> String {
    var rest = Array(written.utf16)[...]
    var units: [UInt16] = []
    try #require(rest.count >= 2 && rest.first == 0x22 && rest.last == 0x22)
    rest = rest.dropFirst().dropLast()
    while let unit = rest.popFirst() {
      try #require(unit >= 0x20 && unit != 0x22)
      guard unit == 0x5C else {
        units.append(unit)
        continue
      }
      let escape = rest.popFirst()
      switch escape {
      case 0x22: units.append(0x22)
      case 0x5C: units.append(0x5C)
      case 0x6E: units.append(0x0A)
      case 0x72: units.append(0x0D)
      case 0x74: units.append(0x09)
      case 0x75:
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        units.append(try #require(UInt16(digits, radix: 16)))
        rest = rest.dropFirst(4)
      default: Issue.record("an escape JSON does not have in \(written)")
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}

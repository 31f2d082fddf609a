import Testing

@testable import Conditions

@Suite("Sentences")
struct ConditionTests {
  @Test(
    "A true sentence is true.",
    arguments: [
      "count == 42", "count != 41", "count < 43", "count <= 42", "count > 41", "count >= 42", "count < 42.5",
      "count in (1, 42)", "count==42",
      "wait == 250ms", "wait == 0.25s", "wait < 1m", "wait > 249999us", "wait > 249999µs", "wait > 0", "wait >= 0.0",
      "wait == 250000000ns", "wait < 1min", "wait < 1h", "wait in (1s, 250ms)",
      "bytes == 64KiB", "bytes == 65536", "bytes == 65536B", "bytes < 66kB", "bytes < 66KB", "bytes < 1MB",
      "bytes < 1MiB", "bytes < 1GB", "bytes < 1GiB", "bytes > 65.5kB",
      "status == 404", "status == 4xx", "status == 4XX", "status != 2xx", "status >= 400", "status < 500",
      "status in (2xx, 404)", "status in (304, 4xx)", "status != 200",
      #"path == "/v1/Übung*""#, "path == '/v1/Übung*'", #"path like "/v1/*""#, #"path like "/v?/Übung?""#,
      #"path like "*""#, #"path like "**ung**""#, #"path like "*\\*""#, #"path ilike "/V1/ÜBUNG*""#,
      #"path == "/v1/\u{DC}bung*""#, #"path in ("a", '/v1/Übung*')"#, #"path != "/v1""#, #"path != "a\"\'\\\n\r\tb""#,
      "kind == sse", #"kind == "sse""#, "kind in (plain, sse)", #"kind like "s*""#, "kind != plain",
      "start > 1s", "start == 1500ms", "start >= 0", #"start == "1.5""#, #"start == "22:13:21.5""#,
      #"start < "2023-11-14T22:13:22Z""#, "start in (1.5s)",
      "hurt", "not (not hurt)", "not not hurt", "(hurt)", "((hurt))",
      #"names == "tls""#, #"names like "http/*""#, #"names in ("a", "http/1.1")"#, #"names != "h2""#,
      "hurt and count == 42", "hurt or count == 1", "not hurt or hurt", "not (hurt and count == 1)",
      "count == 1 or count == 2 or count == 42", "count == 1 and hurt or hurt", "hurt or count == 1 and count == 2",
      "not never == 1", "not never.flag", "hurt or later == 1", "not (later == 1 and count == 1)",
      " \t\nhurt\n ",
    ])
  func isTrue(_ text: String) throws { #expect(try Condition(text).truth(of: Thing()) == .yes) }

  @Test(
    "A false sentence is false, and so is every comparison with what is not there.",
    arguments: [
      "count == 41", "count != 42", "count < 42", "count <= 41", "count > 42", "count >= 43", "count in (1, 2)",
      "wait > 250ms", "wait in (1s)", "bytes > 64KiB", "status == 2xx", "status != 4xx", "status in (2xx, 400)",
      #"path == "/V1/Übung*""#, #"path like "/v1""#, #"path like "/v1/?""#, #"path like """#, #"path like "\\*""#,
      #"path like "/V1/*""#, #"path ilike "/v2*""#, "kind == plain", #"start == "1.6""#, "start < 1.5s", "not hurt",
      #"names == "h2""#, #"names != "tls""#, #"names like "h2*""#,
      "hurt and count == 1", "count == 1 or count == 2", "(hurt or hurt) and not hurt",
      "never == 1", "never != 1", "never < 1", "never >= 1", "never in (1)", "never.flag",
      "later == 1 and count == 1", "not (hurt or later == 1)",
    ])
  func isFalse(_ text: String) throws { #expect(try Condition(text).truth(of: Thing()) == .no) }

  @Test(
    "What depends on what is not known yet is neither.",
    arguments: [
      "later == 1", "later != 1", "later in (1)", "later.flag", "not later.flag", "later == 1 and hurt",
      "later == 1 or count == 1", "not (later == 1 or count == 1)",
    ])
  func isUnknown(_ text: String) throws { #expect(try Condition(text).truth(of: Thing()) == .unknown) }

  @Test("A sentence names its fields.")
  func fields() throws {
    let condition = try Condition("not (hurt or count == 1) and wait in (1s) and path like '*' or later.flag")
    #expect(condition.fields == [7, 0, 1, 4, 10])
    #expect(condition.text.hasPrefix("not (hurt"))
  }

  @Test("'and' binds more than 'or', and 'not' more than both.")
  func precedence() throws {
    #expect(
      try Condition("hurt or hurt and not hurt").expression
        == Condition("hurt or (hurt and (not hurt))").expression)
    #expect(try Condition("(hurt or hurt) and hurt").expression != Condition("hurt or hurt and hurt").expression)
  }

  @Test("A pattern of many stars is no trap.")
  func stars() throws {
    let pattern = Pattern(String(repeating: "*a", count: 200) + "*b", ignoresCase: false)
    #expect(!pattern.matches(String(repeating: "a", count: 4_000)))
    #expect(Pattern("a\\", ignoresCase: false).matches("a\\"))
    #expect(Pattern("*", ignoresCase: false).matches(""))
    #expect(!Pattern("?", ignoresCase: false).matches(""))
  }
}

@Suite("Mistakes in sentences")
struct ConditionErrorTests {
  @Test(
    "Every mistake is said, with its column.",
    arguments: [
      ("", 1, "the condition is empty"), ("  ", 1, "the condition is empty"),
      ("pth == 'a'", 1, "no field 'pth'"), ("hurt and wiat > 1s", 10, "no field 'wiat'"),
      ("wait > 64KiB", 8, "'wait' is a duration, such as 250ms, and '64KiB' is a size"),
      ("bytes > 1s", 9, "'bytes' is a size, such as 64KiB, and '1s' is a duration"),
      ("wait > 250", 8, "'wait' is a duration, such as 250ms (which needs a unit), and '250' is a number"),
      ("start > 2", 9, "such as 1.5s or \"12:30:00\" (which needs a unit), and '2' is a number"),
      ("start > 'soon'", 9, "not a time: write"), ("start > 1KiB", 9, "is a time, such as"),
      ("count == 1s", 10, "'count' is a number, such as 42, and '1s' is a duration"),
      ("count == 2xx", 10, "'2xx' is a status"), ("count == 'a'", 10, "is a number, such as 42, not text"),
      ("count == abc", 10, "is a number, such as 42, not 'abc'"),
      ("count == (", 10, "a number is expected here, not '('"),
      ("count ==", 9, "a number is expected here, not the end"),
      ("path == 1", 9, "'path' is text, such as \"text\", and '1' is a number"),
      ("path == abc", 9, "text needs quotes: \"abc\""), ("path ==", 8, "text is expected here, not the end"),
      ("kind == see", 9, "'kind' is never 'see', but sse, plain"), ("kind == 'x'", 9, "'kind' is never 'x'"),
      ("wait > 1sec", 8, "no unit 'sec'"), ("bytes > 1kb", 9, "no unit 'kb'"),
      ("status == 20", 11, "a status has three digits"), ("status == 1000", 11, "a status has three digits"),
      ("status == 70000", 11, "a status has three digits"), ("status == 2.5", 11, "a status has three digits"),
      ("status == 20x", 11, "a status has three digits, or is a class"),
      ("status == 0xx", 11, "a class of statuses is 1xx to 9xx"), ("status == 20xx", 11, "a class of statuses is"),
      ("status > 2xx", 10, "'2xx' is a class of statuses"), ("status == 2s", 11, "is a status, such as 200 or 2xx"),
      ("count == 99999999999999999999999999h", 10, "is a number"),
      ("wait > 99999999999999999999h", 8, "'99999999999999999999h' is too large"), ("wait > 9000000h", 8, "too large"),
      ("bytes > 9999999999GiB", 9, "too large"),
      ("path < 'a'", 6, "'path' is text, which has no order"),
      ("count like '4*'", 7, "'count' is a number; patterns are for texts"),
      ("path like abc", 11, "text in quotes is expected here, not 'abc'"),
      ("path ilike", 11, "text in quotes is expected here, not the end"),
      ("hurt == 1", 6, "'hurt' is a flag: use it alone, or after 'not'"), ("hurt in (1)", 6, "'hurt' is a flag"),
      ("hurt like 'a'", 6, "'hurt' is a flag; patterns are for texts"),
      ("wait", 1, "'wait' is a duration, and needs a comparison: wait > 250ms"),
      ("status and hurt", 1, "status == 2xx"), ("not kind", 5, "kind == sse"), ("path", 1, "path == \"text\""),
      ("count in 42", 10, "'(' is expected here, not '42'"),
      ("count in (", 11, "a number is expected here, not the end"),
      ("count in ()", 11, "a number is expected here, not ')'"), ("count in (1 2)", 13, "',' or ')' is expected here"),
      ("count in (1,", 13, "a number is expected here"), ("count in (1s)", 11, "'1s' is a duration"),
      ("(hurt", 6, "')' is expected here, for the '(' at column 1"), ("hurt)", 5, "'and', 'or' or the end is expected"),
      ("hurt hurt", 6, "'and', 'or' or the end is expected here, not 'hurt'"),
      ("hurt and", 9, "a field is expected here, not the end"), ("or hurt", 1, "a field is expected here, not 'or'"),
      ("and", 1, "a field is expected"), ("42 == count", 1, "a field is expected here, not '42'"),
      ("'a' == path", 1, "a field is expected here, not text"), ("== 1", 1, "a field is expected here, not '=='"),
      ("not", 4, "a field is expected here, not the end"), ("()", 2, "a field is expected here, not ')'"),
      ("hurt, hurt", 5, "the end is expected here, not ','"),
      ("p99(wait) < 1s", 1, "conditions have no functions"),
      ("count = 42", 7, "'=' is written '=='"), ("hurt && hurt", 6, "'&' is written 'and'"),
      ("hurt || hurt", 6, "'|' is written 'or'"), ("!hurt", 1, "'!' is written 'not'"),
      ("count == -1", 10, "'-' is not allowed here"), ("hurt; hurt", 5, "';' is not allowed here"),
      ("path == 'abc", 9, "this text has no closing quote"), ("path == \"abc'", 9, "this text has no closing quote"),
      (#"path == "a\x""#, 11, "after a backslash only"), (#"path == "a\u{D800}""#, 11, "after a backslash only"),
      (#"path == "a\u41""#, 11, "after a backslash only"), (#"path == "a\"#, 11, "this text has no closing quote"),
      (#"path == "a\u{1""#, 11, "after a backslash only"),
      ("path == 'Ü' and x", 17, "no field 'x'"),
    ] as [(String, Int, String)])
  func mistake(_ text: String, column: Int, says: String) {
    expectMistake(try Condition(text), column: column, says: says)
  }

  @Test("An unknown word brings those that it could be.")
  func candidates() {
    let field = expectMistake(try Condition("pth == 'a'"))
    #expect(field?.word == "pth")
    #expect(field?.candidates == Thing.vocabulary.fields.map(\.name))
    let word = expectMistake(try Condition("kind == see"))
    #expect(word?.word == "see" && word?.candidates == ["sse", "plain"])
    let unit = expectMistake(try Condition("bytes > 1kb"))
    #expect(unit?.word == "kb" && unit?.candidates.contains("kB") == true)
  }

  @Test("Depth, length and lists are bounded.")
  func bounds() throws {
    let nested = { (depth: Int) in String(repeating: "(", count: depth) + "hurt" + String(repeating: ")", count: depth)
    }
    #expect(try Condition(nested(64)).truth(of: Thing()) == .yes)
    #expect(expectMistake(try Condition(nested(65)))?.column == 65)
    #expect(expectMistake(try Condition(String(repeating: "(", count: 4_000)))?.column == 65)
    let negated = { (count: Int) in String(repeating: "not ", count: count) + "hurt" }
    #expect(try Condition(negated(64)).truth(of: Thing()) == .yes)
    #expect(expectMistake(try Condition(negated(65)))?.column == 64 * 4 + 1)
    #expect(throws: Never.self) { try Condition("hurt" + String(repeating: " ", count: 4_092)) }
    #expect(expectMistake(try Condition("hurt" + String(repeating: " ", count: 4_093)))?.column == 4_097)
    let list = { (count: Int) in "count in (" + (0..<count).map(String.init).joined(separator: ",") + ")" }
    #expect(try Condition(list(256)).truth(of: Thing()) == .yes)
    #expect(throws: ConditionError.self) { try Condition(list(257)) }
    // Wide is not deep.
    #expect(try Condition(Array(repeating: "hurt", count: 400).joined(separator: " and ")).truth(of: Thing()) == .yes)
  }

  @Test("No text is a trap.")
  func hostile() {
    let pieces = [
      "(", ")", "not ", "hurt ", "count ", "== ", "in ", "like ", "'", "\"", "\\", ",", "1", ".", "9s", "2xx", "Ü",
      "\u{0}", "\u{202E}", "and ", "or ", "9999999999999999999999",
    ]
    readTexts(of: pieces, seed: 42) { (text) throws(ConditionError) in _ = try Condition(text).truth(of: Thing()) }
  }
}

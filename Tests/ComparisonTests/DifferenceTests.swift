import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("What differs in an exchange")
struct DifferenceTests {
  private struct Row {
    var what: String
    var relation = ComparisonOptions.points
    var a: (request: String, answer: String) = (Talk.request(), Talk.answer())
    var b: (request: String, answer: String) = (Talk.request(), Talk.answer())
    var told: [String] = []
    var words = ["identical"]
  }

  private static func asked(
    _ what: String, _ a: [String], _ b: [String], _ told: [String], _ words: [String] = ["altered"],
    as relation: ComparisonOptions = .points
  ) -> Row {
    Row(
      what: what, relation: relation, a: (Talk.request("GET /x", a), Talk.answer()),
      b: (Talk.request("GET /x", b), Talk.answer()), told: told, words: words)
  }

  private static func answered(
    _ what: String, _ a: String, _ b: String, _ told: [String], _ words: [String],
    as relation: ComparisonOptions = .points
  ) -> Row {
    Row(what: what, relation: relation, a: (Talk.request(), a), b: (Talk.request(), b), told: told, words: words)
  }

  private static let chunked = ["Transfer-Encoding: chunked"]

  private static let rows = [
    Row(what: "nothing"),
    asked("a field that was added", [], ["X-A: 1"], ["request fieldAdded X-A: - | 1"]),
    asked("a field that was removed", ["X-A: 1"], [], ["request fieldRemoved X-A: 1 | -"]),
    asked("another value", ["X-A: 1"], ["X-A: 2"], ["request fieldValue X-A: 1 | 2"]),
    asked("another spelling", ["X-A: 1"], ["x-a: 1"], ["request fieldCase X-A: X-A | x-a"], ["re-framed"]),
    asked(
      "another order", ["X-A: 1", "X-B: 1"], ["X-B: 1", "X-A: 1"], ["request fieldOrder X-A: X-A | X-B"], ["re-framed"]),
    asked("the same twice", ["X-A: 1", "X-A: 2"], ["X-A: 1", "X-A: 2"], [], ["identical"]),
    asked("one of two is gone", ["X-A: 1", "X-A: 2"], ["X-A: 1"], ["request fieldRemoved X-A: 2 | -"]),
    asked("the second of two differs", ["X-A: 1", "X-A: 2"], ["X-A: 1", "X-A: 3"], ["request fieldValue X-A: 2 | 3"]),
    asked(
      "what proxies add", [], ["Via: 1.1 p", "X-Forwarded-For: 10.0.0.1"],
      ["(hop) request fieldAdded Via: - | 1.1 p", "(hop) request fieldAdded X-Forwarded-For: - | 10.0.0.1"],
      ["identical"]),
    asked(
      "what Connection names is of one hop", ["Connection: X-Hop", "X-Hop: 1"], ["Connection: close"],
      [
        "(hop) request fieldValue Connection: X-Hop | close", "(hop) request fieldRemoved X-Hop: 1 | -",
      ], ["identical"]),
    asked("and what it does not name is not", ["X-Hop: 1"], [], ["request fieldRemoved X-Hop: 1 | -"]),
    asked(
      "an id should not change on the way", ["X-Request-Id: 1"], ["X-Request-Id: 2"],
      ["request fieldValue X-Request-Id: 1 | 2"]),
    asked(
      "and varies from run to run", ["X-Request-Id: 1"], ["X-Request-Id: 2"],
      ["(individual) request fieldValue X-Request-Id: 1 | 2"], ["identical"], as: .runs),
    Row(
      what: "the method", a: (Talk.request("POST /x", ["Content-Length: 4"], body: "body"), Talk.answer()),
      b: (Talk.request("POST /x", ["Content-Length: 4"], body: "body"), Talk.answer("201 Created")),
      told: ["response status: 200 OK | 201 Created"], words: ["altered"]),
    Row(
      what: "the target", a: (Talk.request("GET /a/1234567"), Talk.answer()),
      b: (Talk.request("GET /a/7654321"), Talk.answer()),
      told: ["request target: /a/1234567 | /a/7654321"], words: ["altered"]),
    Row(
      what: "the version", a: (Talk.request(), Talk.answer()),
      b: (#"GET /x HTTP/1.0\r\nHost: h\r\n\r\n"#, Talk.answer()),
      told: ["request version: HTTP/1.1 | HTTP/1.0"], words: ["re-framed"]),
    answered(
      "chunks, and a length", Talk.answer(), Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n0\r\n\r\n"#),
      ["response framing: Content-Length: 2 | chunked"], ["re-framed"]),
    answered(
      "up to the close", Talk.answer(), Talk.answer("200 OK", [], body: "ok"),
      ["response framing: Content-Length: 2 | up to the close"], ["re-framed"]),
    answered(
      "the letter case of the coding", Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n0\r\n\r\n"#),
      Talk.answer("200 OK", ["Transfer-Encoding: Chunked"], body: #"2\r\nok\r\n0\r\n\r\n"#),
      ["response codingCase Transfer-Encoding: chunked | Chunked"], ["re-framed"]),
    answered(
      "two chunks made one", Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n2\r\nay\r\n0\r\n\r\n"#),
      Talk.answer("200 OK", chunked, body: #"4\r\nokay\r\n0\r\n\r\n"#),
      ["download chunks: 2 chunks: 2, 2 B | 1 chunk: 4 B"], ["re-framed"]),
    answered(
      "the same number of chunks, cut elsewhere",
      Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n2\r\nay\r\n0\r\n\r\n"#),
      Talk.answer("200 OK", chunked, body: #"1\r\no\r\n3\r\nkay\r\n0\r\n\r\n"#),
      ["download chunks: 2 chunks: 2, 2 B | 2 chunks: 1, 3 B"], ["re-framed"]),
    answered(
      "trailers", Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n"#),
      Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n0\r\n\r\n"#), ["download trailers: X-Sum | -"], ["altered"]),
    answered(
      "other bytes", Talk.answer(), Talk.answer("200 OK", ["Content-Length: 2"], body: "no"),
      ["download content: 2 B | 2 B"], ["altered"]),
    answered(
      "a chunked body without its last chunk", Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n0\r\n\r\n"#),
      Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n"#), ["download end: whole | cut off by a FIN"],
      ["download truncated in B"]),
    answered(
      "half of it", Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n2\r\nay\r\n0\r\n\r\n"#),
      Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n0\r\n\r\n"#), ["download content: 4 B | 2 B"],
      ["download truncated in B"]),
    answered(
      "half of it, and of two runs one said less",
      Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n2\r\nay\r\n0\r\n\r\n"#),
      Talk.answer("200 OK", chunked, body: #"2\r\nok\r\n0\r\n\r\n"#), ["download content: 4 B | 2 B"], ["altered"],
      as: .runs),
    answered(
      "an interim answer", Talk.answer("103 Early Hints", [], body: "") + Talk.answer(), Talk.answer(),
      ["interim interim: 103 Early Hints | -"], ["altered"]),
    answered(
      "a coding that one cannot read says nothing of the bytes",
      Talk.answer("200 OK", ["Content-Encoding: unheard", "Content-Length: 2"], body: "zz"), Talk.answer(),
      ["response contentCoding Content-Encoding: unheard | -"], ["re-framed"]),
    Row(
      what: "the failing run asked for something else", relation: .runs,
      a: (Talk.request("GET /x", ["X-A: 1"]), Talk.answer()),
      b: (Talk.request("GET /x", ["x-a: 1"]), Talk.answer("500 No", ["Content-Length: 2"], body: "no")),
      told: [
        "(cause) request fieldCase X-A: X-A | x-a", "(consequence) response status: 200 OK | 500 No",
        "(consequence) download content: 2 B | 2 B",
      ], words: ["failed in B"]),
  ]

  @Test("Each is reported once, and what is the same is not.", arguments: rows.indices)
  func row(_ index: Int) async throws {
    let row = Self.rows[index]
    let run = try await ComparisonRun(
      Talk.exchange(Place.front, row.a.request, row.a.answer), Talk.exchange(Place.behind, row.b.request, row.b.answer),
      row.relation)
    let pair = try #require(run.record.pairs.first)
    #expect(pair.told == row.told, "\(row.what)")
    #expect(pair.words == row.words, "\(row.what)")
  }
}

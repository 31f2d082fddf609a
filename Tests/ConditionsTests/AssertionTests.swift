import Testing

@testable import Conditions

/// A series of each kind, with the fields of things.
private let catalogue: [Series] = [
  Series("http.wait", id: 0, .many(.duration), Thing.vocabulary),
  Series("tcp.bytes", id: 1, .many(.size), Thing.vocabulary),
  Series("streams", id: 2, .counted(ofCapture: true), Thing.vocabulary),
  Series("ws.close", id: 3, .counted(ofCapture: false), Vocabulary([Field("code", id: 20, .number)])),
  Series("capture.dropped", id: 4, .one(.number), Vocabulary([])),
  Series("capture.missing", id: 5, .one(.size), Vocabulary([])),
]

extension Assertion {
  fileprivate init(_ text: String) throws(ConditionError) { try self.init(text, catalogue) }
}

@Suite("Assertions")
struct AssertionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var text: String
    var aggregate: Aggregate
    var series: Int
    var relation: Relation
    var limit: Literal
    var condition: String?
    var testDescription: String { text }

    init(
      _ text: String, _ aggregate: Aggregate, _ series: Int, _ relation: Relation, _ limit: Literal,
      where condition: String? = nil
    ) {
      (self.text, self.aggregate, self.series) = (text, aggregate, series)
      (self.relation, self.limit, self.condition) = (relation, limit, condition)
    }
  }

  private static func percentile(_ digits: String) -> Aggregate {
    Percentile(digits).map { .percentile($0) } ?? .count
  }

  @Test(
    "Every sentence is read.",
    arguments: [
      Row("p99(http.wait) < 250ms", percentile("99"), 0, .less, .nanoseconds(250_000_000)),
      Row("p50(http.wait)<=1s", percentile("50"), 0, .lessOrEqual, .nanoseconds(1_000_000_000)),
      Row("p99.9(tcp.bytes) < 64KiB", percentile("99.9"), 1, .less, .bytes(65_536)),
      Row("p0.001(http.wait) >= 0", percentile("0.001"), 0, .greaterOrEqual, .nanoseconds(0)),
      Row("min(http.wait) > 1us", .minimum, 0, .greater, .nanoseconds(1_000)),
      Row("max(tcp.bytes) < 512", .maximum, 1, .less, .bytes(512)),
      Row("mean(http.wait) != 1h", .mean, 0, .unequal, .nanoseconds(3_600_000_000_000)),
      Row("sum(tcp.bytes) == 0", .sum, 1, .equal, .bytes(0)),
      Row("count(http.wait) == 3", .count, 0, .equal, .number(3)),
      Row("count(streams) >= 1", .count, 2, .greaterOrEqual, .number(1)),
      Row("min(streams) >= 1", .minimum, 2, .greaterOrEqual, .number(1)),
      Row("max( streams ) < 1.5", .maximum, 2, .less, .number(1.5)),
      Row("rate(ws.close) < 10", .rate, 3, .less, .number(10)),
      Row("capture.dropped == 0", .maximum, 4, .equal, .number(0)),
      Row("sum(capture.missing) < 1MB", .sum, 5, .less, .bytes(1_000_000)),
      Row(
        #"max(http.wait where path like "/v1/*") < 1s"#, .maximum, 0, .less, .nanoseconds(1_000_000_000),
        where: #"path like "/v1/*""#),
      Row(
        "count(ws.close where code != 1000) == 0", .count, 3, .equal, .number(0), where: "code != 1000"),
      Row(
        "count(streams where (hurt or kind in (sse)) and not (wait > 1s) ) == 0", .count, 2, .equal, .number(0),
        where: "(hurt or kind in (sse)) and not (wait > 1s)"),
    ])
  func read(_ row: Row) throws {
    let assertion = try Assertion(row.text)
    #expect(assertion.text == row.text)
    #expect(assertion.figure.aggregate == row.aggregate)
    #expect(assertion.figure.series == catalogue[row.series])
    #expect(assertion.relation == row.relation && assertion.limit == row.limit)
    #expect(assertion.figure.condition?.text == row.condition)
  }

  @Test("The condition of an assertion is one as any other.")
  func condition() throws {
    let yes = try Assertion("count(streams where wait == 250ms and not never == 1) == 0").figure.condition
    #expect(yes?.truth(of: Thing()) == .yes)
    #expect(try Assertion("count(streams where hurt and count == 1) == 0").figure.condition?.truth(of: Thing()) == .no)
    #expect(yes?.fields == [1, 11])
  }

  @Test(
    "Every mistake is said, with its column.",
    arguments: [
      ("", 1, "the assertion is empty"), ("  ", 1, "the assertion is empty"),
      ("p99(http.wiat) < 1s", 5, "no series 'http.wiat'"), ("mx(http.wait) < 1s", 1, "no aggregate 'mx'"),
      ("strems >= 1", 1, "no figure 'strems'"), ("(streams) > 1", 1, "a figure such as max(http.wait) is expected"),
      ("avg(http.wait) < 1s", 1, "'avg' is written 'mean'"), ("median(http.wait) < 1s", 1, "is written 'p50'"),
      ("p0(http.wait) < 1s", 1, "a percentile lies between p0 and p100"),
      ("p100(http.wait) < 1s", 1, "a percentile lies between p0 and p100"),
      ("p99.9999(http.wait) < 1s", 1, "at most three decimal places"),
      ("p9.9.9(http.wait) < 1s", 1, "a percentile lies"),
      ("p99999999999999999999999(http.wait) < 1s", 1, "a percentile lies"),
      ("p(http.wait) < 1s", 1, "no aggregate 'p'"),
      ("max < 1s", 1, "'max' needs a series: max(http.wait)"), ("p95 < 1s", 1, "'p95' needs a series"),
      ("http.wait < 1s", 1, "'http.wait' has many values; use p99(http.wait)"),
      ("streams >= 1", 1, "'streams' has no value; use count(streams)"),
      ("p99(http.wait) < 64KiB", 18, "'p99(http.wait)' is a duration, such as 250ms, and '64KiB' is a size"),
      ("max(tcp.bytes) < 1s", 18, "'max(tcp.bytes)' is a size, such as 64KiB, and '1s' is a duration"),
      ("max(http.wait) < 250", 18, "(which needs a unit), and '250' is a number"),
      ("count(http.wait) < 1s", 20, "'count(http.wait)' is a number"),
      ("min(streams) >= 1B", 17, "'min(streams)' is a number"),
      ("capture.missing < 1s", 19, "'capture.missing' is a size"),
      ("max(http.wait) < 'a'", 18, "is a duration, such as 250ms, not text"),
      ("max(http.wait) < ", 18, "a duration is expected here, not the end"),
      ("max(http.wait) < 1sec", 18, "no unit 'sec'"), ("max(http.wait) < 9000000h", 18, "too large"),
      ("max(http.wait) < 2xx", 18, "'2xx' is a status"),
      ("max(http.wait)", 15, "one of == != < <= > >= is expected here, not the end"),
      ("max(http.wait) like 'a'", 16, "one of == != < <= > >= is expected here, not 'like'"),
      ("max(http.wait) = 1s", 16, "'=' is written '=='"),
      ("max(http.wait) < 1s and max(http.wait) > 1ms", 21, "the end is expected here, not 'and'"),
      ("max(http.wait) < 1s)", 20, "the end is expected here, not ')'"),
      ("max()", 5, "a series such as http.wait is expected here, not ')'"),
      ("max(", 5, "a series such as http.wait is expected here, not the end"),
      ("max(1) < 1s", 5, "a series such as http.wait is expected here, not '1'"),
      ("max(http.wait < 1s", 15, "'where' or ')' is expected here, for the '(' at column 4, not '<'"),
      ("max (http.wait", 15, "for the '(' at column 5, not the end"),
      ("max(http.wait hurt) < 1s", 15, "'where' or ')' is expected here"),
      ("max(http.wait where) < 1s", 20, "a field is expected here, not ')'"),
      ("max(http.wait where hurt < 1s", 26, "'hurt' is a flag"),
      ("max(http.wait where hurt", 25, "'and', 'or' or ')' is expected here, for the '(' at column 4"),
      ("max(http.wait where hurt kind == sse) < 1s", 26, "'and', 'or' or ')' is expected here"),
      ("max(http.wait where code == 1) < 1s", 21, "no field 'code'"),
      ("count(ws.close where hurt) == 0", 22, "no field 'hurt'"),
      ("count(ws.close where code != 1s) == 0", 30, "'code' is a number, such as 42, and '1s' is a duration"),
      ("count(streams where p99(wait) < 1s) == 0", 21, "conditions have no functions"),
      ("mean(streams) > 1", 1, "'streams' has no mean; use count(streams)"),
      ("p99(streams) > 1", 1, "'streams' has no p99"),
      ("min(ws.close) > 1", 1, "'ws.close' has no min"),
      ("rate(http.wait) < 1", 1, "'http.wait' has values; a rate needs something counted"),
      (
        "count(capture.dropped) == 0", 1,
        "'capture.dropped' is a single figure of the capture: write capture.dropped alone"
      ),
      ("p99(capture.dropped) == 0", 1, "is a single figure of the capture"),
      ("rate(capture.dropped) == 0", 1, "is a single figure of the capture"),
      ("max(capture.dropped where hurt) == 0", 21, "'capture.dropped' is a single figure of the capture; where"),
    ] as [(String, Int, String)])
  func mistake(_ text: String, column: Int, says: String) {
    expectMistake(try Assertion(text), column: column, says: says)
  }

  @Test("An unknown name brings those that it could be.")
  func candidates() {
    let series = expectMistake(try Assertion("p99(http.wiat) < 1s"))
    #expect(series?.word == "http.wiat" && series?.candidates == catalogue.map(\.name))
    let aggregate = expectMistake(try Assertion("mx(http.wait) < 1s"))
    #expect(aggregate?.word == "mx" && aggregate?.candidates.contains("max") == true)
    let figure = expectMistake(try Assertion("capture.droped == 0"))
    #expect(figure?.candidates.contains("capture.dropped") == true)
    let field = expectMistake(try Assertion("count(ws.close where cde == 1) == 0"))
    #expect(field?.candidates == ["code"])
  }

  @Test(
    "A percentile needs as many samples as tell it from the extremes, and is the smallest that enough do not exceed.",
    arguments: [
      ("50", 2, 1, 1), ("50", 2, 2, 1), ("50", 2, 3, 2), ("90", 10, 10, 9), ("99", 100, 100, 99), ("99", 100, 101, 100),
      ("99", 100, 1, 1), ("99.9", 1_000, 1_000, 999), ("95", 20, 40, 38), ("95", 20, 41, 39), ("5", 20, 20, 1),
      ("5", 20, 21, 2), ("66.7", 4, 3, 3), ("99.999", 100_000, .max, 18_446_559_606_268_814_520),
    ] as [(String, UInt64, UInt64, UInt64)])
  func percentiles(digits: String, needs: UInt64, of count: UInt64, rank: UInt64) throws {
    let percentile = try #require(Percentile(digits))
    #expect(percentile.leastSamples == needs)
    #expect(percentile.rank(of: count) == rank)
  }

  @Test("No text is a trap.")
  func hostile() {
    let pieces = [
      "p99(", "max(", "count(", "http.wait", "streams", " where ", "hurt", ")", "(", "< ", "== ", "1s", "1", "'", "\"",
      "p9.9", "capture.dropped", ",", "not ", "Ü", "\u{0}", "9999999999999999999999", "and ", "in ",
    ]
    readTexts(of: pieces, seed: 7) { (text) throws(ConditionError) in _ = try Assertion(text) }
  }
}

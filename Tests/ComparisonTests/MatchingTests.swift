import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("Which exchange belongs to which")
struct MatchingTests {
  private static let socket = [
    "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==",
  ]

  private struct Row {
    var what: String
    var a: [String]
    var b: [String]
    var matched: [String]
    var reasons: [MatchReason]
    var left: BothSides<Int> = BothSides(a: 0, b: 0)
  }

  private static let rows = [
    Row(
      what: "by target, in another order", a: [Talk.request("GET /1"), Talk.request("GET /2")],
      b: [Talk.request("GET /2"), Talk.request("GET /1")], matched: ["A1 B2", "A2 B1"], reasons: [.target, .target]),
    Row(
      what: "the same target three times, in order", a: [String](repeating: Talk.request(), count: 3),
      b: [String](repeating: Talk.request(), count: 3), matched: ["A1 B1", "A2 B2", "A3 B3"],
      reasons: [.target, .target, .target]),
    Row(
      what: "the one in the middle is missing", a: (1...3).map { Talk.request("GET /x", ["X-Number: \($0)"]) },
      b: [1, 3].map { Talk.request("GET /x", ["X-Number: \($0)"]) }, matched: ["A1 B1", "A3 B2"],
      reasons: [.target, .target], left: BothSides(a: 1, b: 0)),
    Row(
      what: "by the shape of the path", a: [Talk.request("GET /users/1234567/items")],
      b: [Talk.request("GET /users/7654321/items")], matched: ["A1 B1"], reasons: [.path]),
    Row(
      what: "by what was sent",
      a: [
        Talk.request("POST /old", ["Content-Length: 5"], body: "first"),
        Talk.request("POST /older", ["Content-Length: 6"], body: "second"),
      ],
      b: [
        Talk.request("POST /new", ["Content-Length: 6"], body: "second"),
        Talk.request("POST /newer", ["Content-Length: 5"], body: "first"),
      ], matched: ["A1 B2", "A2 B1"], reasons: [.content, .content]),
    Row(
      what: "nothing else of the method is left", a: [Talk.request("GET /alone")], b: [Talk.request("GET /other")],
      matched: ["A1 B1"], reasons: [.remaining]),
    Row(
      what: "two of the method are left", a: [Talk.request("GET /alone")],
      b: [Talk.request("GET /other"), Talk.request("GET /more")], matched: [], reasons: [],
      left: BothSides(a: 1, b: 2)),
    Row(
      what: "another method", a: [Talk.request("GET /x")], b: [Talk.request("DELETE /x")], matched: [], reasons: [],
      left: BothSides(a: 1, b: 1)),
    Row(
      what: "towards a proxy the target has an authority", a: [Talk.request("GET http://h/x?y")],
      b: [Talk.request("GET /x?y")], matched: ["A1 B1"], reasons: [.target]),
    Row(
      what: "by the key of a WebSocket, at another path", a: [Talk.request("GET /ws", socket)],
      b: [Talk.request("GET /backend/socket", socket)], matched: ["A1 B1"], reasons: [.socketKey]),
  ]

  @Test("Pairs are found by what they have in common, in order.", arguments: rows.indices)
  func row(_ index: Int) async throws {
    let row = Self.rows[index]
    let run = try await ComparisonRun(
      Talk.exchanges(Place.front, row.a), Talk.exchanges(Place.behind, row.b), .points)
    #expect(run.record.matched(run) == row.matched, "\(row.what)")
    #expect(run.record.pairs.map(\.reason) == row.reasons, "\(row.what)")
    #expect(run.record.unmatched.map(\.count) == row.left, "\(row.what)")
  }

  @Test("Of too many that are alike the place decides, which is said; and it takes no time that anybody notices.")
  func load() async throws {
    let few = try await ComparisonRun(Self.many(900), Self.many(901), .runs)
    #expect(few.record.limits.isEmpty && few.record.pairs.count == 900)
    let a = try await ComparisonRun(Self.many(2_000), Self.many(2_000, status: "500 No"), .runs)
    #expect(a.record.limits == ["2,000 exchanges paired by order alone: too many of them look alike"])
    #expect(a.record.pairs.count == 2_000 && a.record.findings.count == 2_000)
    // Each pair against each was half a minute, and more.
    let took = ContinuousClock().measure { _ = Comparer(a.a, a.b, .runs).compare() }
    #expect(took < .seconds(8))
  }

  private static func many(_ count: Int, status: String = "200 OK") -> ScriptedCapture {
    let lines = "> \"\(Talk.request())\"\n< \"\(Talk.answer(status))\"\n"
    return WireFile(Talk.connection(Place.front, String(repeating: lines, count: count))).capture
  }
}

import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("What two captures are of each other")
struct RelationTests {
  private static let socket = Talk.request(
    "GET /ws",
    [
      "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==",
    ])
  private static let refused = Talk.answer("400 Bad Request", ["Content-Length: 0"], body: "")

  private static let rows: [(what: String, a: String, b: String, kind: CaptureRelation.Kind, reason: String)] = [
    ("the same connection", Talk.exchange(Place.front), Talk.exchange(Place.front), .points, "the same connections"),
    (
      "another request between the same ends", Talk.exchange(Place.front),
      Talk.exchange(Place.front, Talk.request("GET /x", ["X-A: 1"])), .runs,
      "connections between the same endpoints, with other requests"
    ),
    (
      "another hop at the same time", Talk.exchange(Place.front), Talk.exchange(Place.behind), .points,
      "the same exchanges at the same time"
    ),
    (
      "another day", Talk.exchange(Place.front), Talk.exchange(Place.later), .runs, "exchanges of different times"
    ),
    (
      "the key of a WebSocket on another day", Talk.exchange(Place.front, socket, refused),
      Talk.exchange(Place.later, socket, refused), .points, "the same WebSocket keys"
    ),
    (
      "nothing belongs together", Talk.exchange(Place.front), Talk.exchange(Place.behind, Talk.request("PUT /y")),
      .runs,
      "nothing in common"
    ),
    (
      "nobody can read them, and the bytes are the same", Talk.connection(Place.front, "> x\"00010203\"\n< x\"0405\""),
      Talk.connection(Place.front, "> x\"00010203\"\n< x\"0405\""), .points, "the same connections"
    ),
    (
      "nobody can read them, and the bytes are others", Talk.connection(Place.front, "> x\"00010203\"\n< x\"0405\""),
      Talk.connection(Place.front, "> x\"00010208\"\n< x\"0406\""), .runs, "other connections"
    ),
  ]

  @Test("The captures show whether they are two points or two runs.", arguments: rows.indices)
  func kinds(_ index: Int) async throws {
    let row = Self.rows[index]
    let relation = try await ComparisonRun(row.a, row.b).record.relation
    #expect(relation.kind == row.kind, "\(row.what)")
    #expect(relation.reason == row.reason, "\(row.what)")
  }

  @Test("What was asked for is taken.")
  func asked() async throws {
    let relation = try await ComparisonRun(Talk.exchange(Place.front), Talk.exchange(Place.front), .runs).record
      .relation
    #expect(relation.kind == .runs && relation.reason == "as given by --as" && !relation.isSameConnection)
  }
}

import Citation
import Events
import RunSupport
import Support
import Testing

@testable import Comparison

@Suite("What differs on a WebSocket")
struct SocketTests {
  private static let open = Talk.request(
    "GET /ws",
    [
      "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==",
    ])
  private static let opened = Talk.answer(
    "101 Switching Protocols",
    ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Accept: HSmrc0sMlYUkAGmm5OPpG2HaGWk="], body: "")

  private static func pair(_ a: String, _ b: String) async throws -> ComparedPair {
    let run = try await ComparisonRun(
      Talk.connection(Place.front, "> \"\(open)\"\n< \"\(opened)\"\n\(a)"),
      Talk.connection(Place.behind, "> \"\(open)\"\n< \"\(opened)\"\n\(b)"))
    return try #require(run.record.pairs.first)
  }

  private static let rows: [(what: String, a: String, b: String, told: [String], words: [String])] = [
    ("nothing", #"< x"81026869""#, #"< x"81026869""#, [], ["identical"]),
    (
      "a message", #"< x"81026869""#, #"< x"81026f68""#,
      ["websocket content the server: message 1: text, 2 B | message 1: text, 2 B"], ["altered"]
    ),
    (
      "another kind", #"< x"81026869""#, #"< x"82026869""#,
      ["websocket content the server: message 1: text, 2 B | message 1: binary, 2 B"], ["altered"]
    ),
    (
      "one more", #"< x"8102686981026869""#, #"< x"81026869""#,
      ["websocket messages the server: 2 messages | 1 message"], ["altered"]
    ),
    (
      "fragments", #"< x"010168800169""#, #"< x"81026869""#,
      ["websocket fragments the server: 1 continuation | 0 continuations"], ["re-framed"]
    ),
    (
      "masks of two hops", #"> x"8182010101016968""#, #"> x"8182020202026a6b""#,
      ["(hop) websocket masks: - | -"], ["identical"]
    ),
  ]

  @Test("Messages, and how they are carried, are distinguished.", arguments: rows.indices)
  func row(_ index: Int) async throws {
    let row = Self.rows[index]
    let pair = try await Self.pair(row.a, row.b)
    #expect(pair.told == row.told, "\(row.what)")
    #expect(pair.words == row.words, "\(row.what)")
  }

  @Test("The code of a close is reported, and its reason is not.")
  func closes() async throws {
    let pair = try await Self.pair(#"< x"880303e861""#, #"< x"880303e961""#)
    #expect(pair.told.contains("websocket close the server: Close 1000 | Close 1001"))
    #expect(pair.words == ["altered"])
    let same = try await Self.pair(#"< x"880303e861""#, #"< x"880303e861""#)
    #expect(same.told == [] && same.words == ["identical"])
  }
}

import Foundation
import Testing

@testable import App

/// The keys that a result document always has, as its contract lists them.
@Suite("The result document")
struct DocumentKeyTests {
  private static let side = [
    "packets", "bytes", "retransmittedBytes", "outOfOrder", "missingBytes", "overlapConflicts",
  ]

  private func expect(_ object: Any?, _ keys: [String], _ what: String) throws {
    let object = try #require(object as? [String: Any], "\(what)")
    for key in keys { #expect(object[key] != nil, "\(what).\(key)") }
  }

  @Test(
    "Every key that is always there is there.",
    arguments: [
      Scripts.quiet, Scripts.refused, Scripts.conflict, Scripts.hole, "",
    ])
  func keys(_ script: String) async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("--json", "--digest", try scratch.capture(script))
    #expect(run.code == .success)
    #expect(run.errors == "")
    let document = try run.result()
    try expect(document, ["schema", "tool", "redaction", "capture", "summary", "connections", "findings"], "document")
    #expect(document["schema"] as? String == "streamscope.result/1")
    try expect(document["tool"], ["name", "version", "features"], "tool")
    try expect(document["redaction"], ["mode", "counts"], "redaction")
    try expect(
      document["capture"],
      ["file", "format", "linkTypes", "packets", "bytes", "durationNs", "complete", "problems"], "capture")
    try expect(
      document["summary"],
      ["connections", "exchanges", "websockets", "eventStreams", "hurt", "findings", "lint"], "summary")
    let summary = document["summary"] as? [String: Any]
    try expect(summary?["findings"], ["error", "warning", "note"], "summary.findings")
    for connection in try run.connections() {
      try expect(
        connection,
        [
          "id", "communityId", "client", "server", "midstream", "firstPacket", "lastPacket", "startNs", "endNs", "end",
          "toServer", "toClient", "protocols", "exchanges",
        ], "connection")
      for name in ["client", "server"] { try expect(connection[name], ["ip", "port"], name) }
      try expect(connection["end"], ["kind", "by"], "end")
      for name in ["toServer", "toClient"] { try expect(connection[name], Self.side + ["sha256"], name) }
      for entry in connection["timeline"] as? [Any] ?? [] { try expect(entry, ["ns", "packet", "kind"], "timeline") }
    }
    for finding in try #require(document["findings"] as? [[String: Any]]) {
      try expect(
        finding,
        [
          "rule", "severity", "class", "confidence", "cost", "message", "evidence", "count", "firstPacket",
          "lastPacket",
        ],
        "finding")
      try expect(finding["cost"], ["kind"], "cost")
      for evidence in try #require(finding["evidence"] as? [Any]) {
        try expect(evidence, ["packet", "ns"], "evidence")
      }
    }
  }

  private func connection(_ script: String, _ options: String...) async throws -> [String: Any] {
    let scratch = try Scratch()
    let run = await ProgramRun(["--json"] + options + [try scratch.capture(Scripts.hello + script)])
    return try #require(try run.connections().first)
  }

  @Test("A message that broke off in its start line has all its fields, and nothing in them.")
  func startLine() async throws {
    let exchanges = try await connection("> \"GET /cut HT\"\n")["exchanges"] as? [[String: Any]]
    let request = try #require(exchanges?.first?["request"] as? [String: Any])
    for key in ["method", "target", "version"] { #expect(request[key] as? String == "") }
  }

  @Test("What is not UTF-8 stands beside its text as bytes, unless it is hidden.")
  func raw() async throws {
    let script = Self.unreadable
    let exchanges = try await connection(script)["exchanges"] as? [[String: Any]]
    let request = try #require(exchanges?.first?["request"] as? [String: Any])
    #expect(request["target"] as? String == "/\u{FF}")
    let raw = try #require(request["raw"] as? [String: Any])
    #expect(raw["target"] as? String == "L/8=")
    let fields = try #require(raw["headers"] as? [[String: Any]])
    #expect(fields.map { $0["index"] as? Int } == [1])
    #expect(fields.first?["value"] as? String == "Y2Fm6Q==")
    let shown = try await connection(script, "--no-redact")["exchanges"] as? [[String: Any]]
    let all = ((shown?.first?["request"] as? [String: Any])?["raw"] as? [String: Any])?["headers"] as? [[String: Any]]
    #expect(all?.map { $0["index"] as? Int } == [1, 2])
  }

  private static let unreadable =
    "> x\"474554202fff20485454502f312e310d0a486f73743a20610d0a583a20636166e90d0a436f6f6b69653a20e9e90d0a0d0a\"\n"
    + "< \"HTTP/1.1 204 No Content\\r\\n\\r\\n\"\n"

  @Test("TCP takes a round trip, and the first request another.")
  func roundTrips() async throws {
    #expect(try await connection(Self.unreadable)["roundTripsToFirstByte"] as? Int == 2)
    #expect(try await connection("> \"GET / HTTP/1.1\\r\\n\\r\\n\"\n")["roundTripsToFirstByte"] == nil)
  }

  @Test("A WebSocket connection tells its version, its gaps and why it was closed.")
  func webSocket() async throws {
    let script = """
      > "GET /in HTTP/1.1\\r\\nHost: a\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Key: wTsAHoSfPNtBl0dticK0fw==\\r\\nSec-WebSocket-Version: 13\\r\\n\\r\\n"
      < "HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\nSec-WebSocket-Accept: fEXqjBTn/zLGHLe/PL7oQJTSuEE=\\r\\n\\r\\n"
      < x"81026869"
      +1s
      < x"81026869"
      < x"880503e9627965"

      """
    let socket = try #require(try await connection(script)["websocket"] as? [String: Any])
    #expect(socket["exchange"] as? Int == 1)
    #expect(socket["version"] as? String == "13")
    #expect(((socket["gaps"] as? [String: Any])?["toClient"] as? [String: Any])?["count"] as? Int == 1)
    let close = try #require((socket["close"] as? [String: Any])?["toClient"] as? [String: Any])
    #expect((close["reason"] as? String)?.hasPrefix("[3 B sha256:") == true)
    let shown = try await connection(script, "--no-redact")["websocket"] as? [String: Any]
    #expect(((shown?["close"] as? [String: Any])?["toClient"] as? [String: Any])?["reason"] as? String == "\"bye\"")
  }

  @Test("A write that waited for an acknowledgement is a hold of its exchange.")
  func holds() async throws {
    let script = """
      > "GET / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n"
      < "HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n"
      +40ms
      > ACK
      < "1\\r\\na\\r\\n"
      +40ms
      > ACK
      < "1\\r\\na\\r\\n0\\r\\n\\r\\n" now

      """
    let exchanges = try await connection(script)["exchanges"] as? [[String: Any]]
    let stream = try #require(exchanges?.first?["stream"] as? [String: Any])
    let holds = try #require(stream["holds"] as? [[String: Any]])
    #expect(holds.first?["kind"] as? String == "write")
    #expect(holds.first?["direction"] as? String == "toClient")
    #expect(try await connection(Self.unreadable)["stream"] == nil)
  }

  @Test("Several files are an array, one object each; a single one is an object.")
  func several() async throws {
    let scratch = try Scratch()
    let a = try scratch.capture(Scripts.quiet, "a.pcap")
    let b = try scratch.capture(Scripts.refused, "b.pcap")
    let documents = try #require(try await ProgramRun("--json", a, b).document() as? [[String: Any]])
    #expect(documents.count == 2)
    #expect(documents.compactMap { ($0["capture"] as? [String: Any])?["file"] as? String } == [a, b])
    #expect(try await ProgramRun("--json", a).document() is [String: Any])
  }

  @Test("NDJSON is an object a line, the summary last.")
  func ndjson() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("-o", "ndjson", try scratch.capture(Scripts.conflict))
    #expect(
      try run.lines().map { $0["type"] as? String } == ["capture", "exchange", "finding", "connection", "summary"])
  }
}

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
    let document = try #require(try run.document() as? [String: Any])
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
    for connection in try #require(document["connections"] as? [[String: Any]]) {
      try expect(
        connection,
        [
          "id", "communityId", "client", "server", "midstream", "firstPacket", "lastPacket", "startNs", "endNs", "end",
          "toServer", "toClient", "protocols",
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
      for evidence in try #require(finding["evidence"] as? [Any]) { try expect(evidence, ["packet"], "evidence") }
    }
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
    let types = try run.output.split(separator: "\n").map { line in
      (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["type"] as? String
    }
    #expect(types == ["exchange", "finding", "connection", "summary"])
  }
}

import Foundation
import Support
import Testing

@testable import App

@Suite("Lines that stand alone, and files that cannot be read among others")
struct RowTests {
  private static let events =
    Scripts.hello
    + #"> "GET /a/17 HTTP/1.1\r\nHost: h.test:81\r\nAuthorization: Bearer abcdefgh\r\n\r\n""# + "\n"
    + #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n""#
    + "\n+250ms\n" + #"< "data: 2\n\n""# + "\n< FIN\n> FIN\n"

  @Test("Each line has a time, its capture and, if it is about a connection, a name that another run gives it, too.")
  func keys() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.conflict)
    let run = await ProgramRun("-o", "ndjson", "--label", "site=a", "--label", "host=b=c", capture)
    let lines = try run.lines()
    #expect(lines[0]["type"] as? String == "capture")
    #expect(lines[0]["file"] as? String == capture)
    let labels = lines[0]["labels"] as? [[String: String]]
    #expect(labels == [["name": "site", "value": "a"], ["name": "host", "value": "b=c"]])
    #expect(lines.allSatisfy { ($0["time"] as? String)?.count == 30 })
    #expect(Set(lines.compactMap { $0["captureId"] as? String }).count == 1)
    #expect(lines.allSatisfy { $0["captureId"] != nil })
    for line in lines where ["connection", "exchange", "finding"].contains(line["type"] as? String) {
      #expect(line["uid"] as? String != nil)
    }
    let finding = try #require(lines.first { $0["type"] as? String == "finding" })
    #expect((finding["fingerprint"] as? String)?.hasSuffix(":1") == true)
    let copy = try scratch.write(try scratch.bytes("capture.pcap"), "copy.pcap")
    let again = try await ProgramRun("-o", "ndjson", copy).lines()
    #expect(again.map { $0["uid"] as? String } == lines.map { $0["uid"] as? String })
    #expect(again[0]["captureId"] as? String == lines[0]["captureId"] as? String)
  }

  @Test("Exchanges and findings name their endpoint, and pieces the gap before them.")
  func places() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("-o", "ndjson", try scratch.capture(Self.events))
    let lines = try run.lines()
    let exchange = try #require(lines.first { $0["type"] as? String == "exchange" })
    #expect(exchange["method"] as? String == "GET")
    #expect(exchange["host"] as? String == "h.test:81")
    #expect(exchange["kind"] as? String == "sse")
    #expect((exchange["endpoint"] as? String)?.hasPrefix("/a/") == true)
    let pieces = lines.filter { $0["type"] as? String == "event" }
    #expect(pieces.count == 2)
    #expect(pieces[0]["gapNs"] == nil)
    #expect((pieces[1]["gapNs"] as? Int ?? 0) >= 250_000_000)
    #expect(pieces.allSatisfy { $0["uid"] as? String == exchange["uid"] as? String })
  }

  @Test("A bad file among good ones has its place in each format, and the exit code is 2.")
  func bad() async throws {
    let scratch = try Scratch()
    let first = try scratch.capture(Scripts.conflict, "a.pcap")
    let bad = try scratch.write("<html>no capture</html>", "b.pcap")
    let last = try scratch.capture(Scripts.refused, "c.pcap")
    let lines = await ProgramRun("-o", "ndjson", first, bad, last)
    #expect(lines.code == .failure)
    let types = try lines.lines().compactMap { $0["type"] as? String }
    #expect(
      types.filter { ["capture", "summary", "error"].contains($0) }
        == ["capture", "summary", "error", "capture", "summary"])
    #expect(lines.errors.contains("b.pcap: not a capture"))
    let json = await ProgramRun("--json", first, bad, last)
    let documents = try #require(try json.document() as? [[String: Any]])
    let captures = documents.compactMap { $0["capture"] as? [String: Any] }
    #expect(captures.compactMap { $0["file"] as? String } == [first, bad, last])
    #expect(captures.map { $0["error"] != nil } == [false, true, false])
    for format in ["text", "har", "sarif", "junit", "github", "html", "trace", "prometheus"] {
      let run = await ProgramRun("-o", format, first, bad, last)
      #expect(run.code == .failure, "\(format)")
      #expect(run.output.contains("a.pcap") && run.output.contains("c.pcap") || format == "har", "\(format)")
    }
    let check = await ProgramRun("check", "-o", "ndjson", first, bad, last)
    #expect(check.code == .failure)
    #expect(check.output.contains("\"type\":\"error\""))
  }

  @Test("Of one file that cannot be read a line is all there is; a file of results stays as it was.")
  func alone() async throws {
    let scratch = try Scratch()
    let bad = try scratch.write("no", "b.pcap")
    let run = await ProgramRun("-o", "ndjson", bad)
    #expect(run.code == .failure)
    #expect(try run.lines().map { $0["type"] as? String } == ["error"])
    try scratch.write("old", "old.ndjson")
    #expect(await ProgramRun("-o", "ndjson=\(scratch.file("old.ndjson"))", bad).code == .failure)
    #expect(try scratch.text("old.ndjson") == "old")
  }

  @Test("The first line has every column, in the same order, of each capture and of a file that is none.")
  func columns() async throws {
    let scratch = try Scratch()
    let captures = [
      try scratch.capture(Self.events, "a.pcap"), try scratch.capture(Scripts.refused, "b.pcap"),
      try scratch.write("no", "c.pcap"),
    ]
    var first: [[String]] = []
    for capture in captures {
      let run = await ProgramRun("-o", "ndjson", "--timeline", "full", capture)
      let lines = try run.lines()
      let columns = Set(lines[0].keys)
      #expect(lines.allSatisfy { columns.isSuperset(of: $0.keys) })
      let line = run.output.prefix { $0 != "\n" }
      first.append(line.matches(of: /"(\w+)":/).map { String($0.output.1) })
    }
    #expect(first[0].count > 500)
    #expect(first[1] == first[0] && first[2] == first[0])
    let several = await ProgramRun("-o", "ndjson", captures[0], captures[2])
    #expect(try several.lines().filter { $0["endpoints"] != nil && $0["type"] as? String == "error" }.count == 1)
    let pieces = await ProgramRun("messages", "-o", "ndjson", captures[0])
    #expect(try pieces.lines().allSatisfy { $0["endpoints"] == nil })
  }

  @Test("Histograms of two captures add up to that of one capture with the packets of both.")
  func histograms() async throws {
    let scratch = try Scratch()
    // Each connection three times the one before, so that the parts differ.
    let connection = { (port: Int, pause: Int) in
      """
      == 192.0.2.1:\(port) 198.51.100.7:80
      > SYN
      < SYN ACK
      > ACK
      > "GET /live HTTP/1.1\\r\\nHost: h.test\\r\\n\\r\\n"
      +\(pause)ms
      < "HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\ndata: 1\\n\\n"
      +\(3 * pause)ms
      < "data: 2\\n\\n"
      +\(pause + 1)ms
      < "data: 3\\n\\n"
      < FIN
      > FIN

      """
    }
    let parts = [(40_001, 7), (40_002, 21), (40_003, 63), (40_004, 63)].map { connection($0.0, $0.1) }
    let read = { (scripts: ArraySlice<String>, name: String) in
      let run = await ProgramRun("-o", "ndjson", try scratch.captures(scripts.joined(), name))
      return try Self.sums(run.lines())
    }
    let whole = try await read(parts[...], "whole.pcap")
    #expect(whole.keys.sorted() == ["firstBodyNs", "gapNs", "totalNs", "waitNs"])
    #expect(whole["gapNs"]?["count"] == 8)
    var sum = try await read(parts[..<2], "first.pcap")
    for (measure, counts) in try await read(parts[2...], "last.pcap") {
      sum[measure]?.merge(counts, uniquingKeysWith: +)
    }
    #expect(sum == whole)
  }

  /// The samples of each measure: of each bucket, of zero, of all, and their sum.
  private static func sums(_ lines: [[String: Any]]) throws -> [String: [String: Int]] {
    var sums: [String: [String: Int]] = [:]
    for line in lines where line["type"] as? String == "histogram" {
      #expect(line["endpoint"] as? String == "/live" && line["host"] as? String == "h.test")
      let values = try #require(line["histogram"] as? [String: Any])
      let (measure, offset) = (try #require(line["measure"] as? String), try #require(values["offset"] as? Int))
      for (place, count) in try #require(values["counts"] as? [Int]).enumerated() where count > 0 {
        sums[measure, default: [:]]["\(offset + place)", default: 0] += count
      }
      for name in ["zeroCount", "count", "sum"] {
        sums[measure, default: [:]][name, default: 0] += values[name] as? Int ?? -1
      }
    }
    return sums
  }

  @Test("With a shared salt equal values of different captures have equal hashes.")
  func salt() async throws {
    let scratch = try Scratch()
    let secret = try scratch.write("sixteen bytes of salt", "salt")
    let one = try scratch.capture(Self.events, "a.pcap")
    let other = try scratch.capture(Self.events + "+1s\n> ACK\n", "b.pcap")
    let hashes = { (run: ProgramRun) in run.output.matches(of: /sha256:[0-9a-f]+/).map { String($0.output) } }
    let apart = (hashes(await ProgramRun("-o", "ndjson", one)), hashes(await ProgramRun("-o", "ndjson", other)))
    #expect(!apart.0.isEmpty && apart.0.first != apart.1.first)
    let shared = ["-o", "ndjson", "--salt-file", secret]
    let joined = (hashes(await ProgramRun(shared + [one])), hashes(await ProgramRun(shared + [other])))
    #expect(!joined.0.isEmpty && joined.0.first == joined.1.first)
    let short = try scratch.write("short", "short")
    #expect(await ProgramRun("-o", "ndjson", "--salt-file", short, one).errors.contains("16 bytes or more"))
  }
}

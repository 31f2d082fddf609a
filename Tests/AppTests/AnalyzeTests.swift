import Capture
import Foundation
import Support
import Testing

@testable import App

@Suite("Analysing captures")
struct AnalyzeTests {
  @Test("Without options the report is text on standard output.")
  func text() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(try scratch.capture(Scripts.refused))
    #expect(run.code == .success)
    #expect(run.errors == "")
    #expect(
      run.output.hasPrefix("capture.pcap   2 packets, 1.00 ms   1 connection   no loss, no holes, not cut short\n"))
    #expect(run.output.contains("ERROR tcp/connect-refused   cost: the connection"))
  }

  @Test("A remark that follows from a diagnosis is told with it, in its own words, without --lint.")
  func consequence() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(
      #"""
      > SYN id=101 ttl=63
      +20ms
      < SYN ACK
      > ACK id=102 ttl=63
      > "GET /events HTTP/1.1\r\nHost: im.example\r\nAccept: text/event-stream\r\n\r\n" id=103 ttl=63
      < "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
      < "17\r\ndata: {\"cmd\":\"hello\"}\n\n\r\n"
      > ACK id=104 ttl=63
      +5s
      > RST ttl=61 id=40000
      """#)
    let text = await ProgramRun(capture).output
    #expect(text.contains("ERROR stream/cut-by-middlebox"))
    #expect(text.contains("and so chunked/missing-last-chunk: GET /events → 200: the client, or a middlebox"))
    let document = await ProgramRun("--json", capture).output
    #expect(document.contains(#""rule": "chunked/missing-last-chunk""#))
  }

  @Test("Several files are one report after the other.")
  func several() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun(
      try scratch.capture(Scripts.refused, "a.pcap"), try scratch.capture(Scripts.quiet, "b.pcap"))
    #expect(run.output.hasPrefix("a.pcap   "))
    #expect(run.output.contains("\n\nb.pcap   "))
  }

  @Test("A format that goes to a file leaves standard output empty, and the file is whole.")
  func toFile() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.conflict)
    let run = await ProgramRun("-o", "json=\(scratch.file("result.json"))", capture)
    #expect(run.code == .success)
    #expect(run.output == "")
    #expect(try scratch.text("result.json") == (await ProgramRun("--json", capture)).output)
    #expect(scratch.names == ["capture.pcap", "result.json"])
    let both = await ProgramRun("-o", "json=\(scratch.file("again.json"))", "-o", "text", capture)
    #expect(both.output.hasPrefix("capture.pcap   "))
    #expect(try scratch.text("again.json") == scratch.text("result.json"))
  }

  @Test("A run that fails leaves the old output as it was, and nothing beside it.")
  func atomic() async throws {
    let scratch = try Scratch()
    try scratch.write("old", "result.json")
    let run = await ProgramRun("-o", "json=\(scratch.file("result.json"))", scratch.file("nosuch.pcap"))
    #expect(run.code == .failure)
    #expect(try scratch.text("result.json") == "old")
    #expect(scratch.names == ["result.json"])
  }

  @Test("Output that cannot be written is an error that names it.")
  func unwritable() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("-o", "json=\(scratch.file("no/such/folder.json"))", try scratch.capture(Scripts.quiet))
    #expect(run.code == .failure)
    #expect(run.errors.contains("cannot write \(scratch.path)/no/such/folder.json: "))
    let full = await ProgramRun("-o", "json=/dev/full", try scratch.capture(Scripts.quiet))
    #expect(full.code == .failure)
    #expect(full.errors.contains("cannot write /dev/full: "))
  }

  @Test(
    "--fail-on decides the exit code.",
    arguments: [
      (Scripts.refused, 0, "error", 1), (Scripts.refused, 0, "warning", 1), (Scripts.refused, 0, "note", 1),
      (Scripts.refused, 0, "never", 0), (Scripts.refused, 0, "incomplete", 0), (Scripts.refused, 0, "empty", 0),
      (Scripts.hole, 0, "error", 0), (Scripts.hole, 0, "warning", 0), (Scripts.hole, 0, "note", 0),
      (Scripts.hole, 0, "incomplete", 1), (Scripts.quiet, 0, "note", 0), (Scripts.quiet, 0, "incomplete", 0),
      (Scripts.quiet, 5, "incomplete", 1), ("", 0, "empty", 1), ("", 0, "incomplete", 0),
      (Scripts.quiet, 0, "empty", 0),
    ] as [(String, Int, String, Int32)])
  func failOn(script: String, cut: Int, level: String, code: Int32) async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(script, dropLast: cut)
    #expect(await ProgramRun("--fail-on", level, capture).code.rawValue == code)
    #expect(await ProgramRun(capture).code == .success)
  }

  @Test("The worst of several files decides.")
  func failOnSeveral() async throws {
    let scratch = try Scratch()
    let files = [try scratch.capture(Scripts.refused, "a.pcap"), try scratch.capture(Scripts.quiet, "b.pcap")]
    #expect(await ProgramRun(["--fail-on", "error"] + files).code == .findings)
    #expect(await ProgramRun(["--fail-on", "error"] + files.reversed()).code == .findings)
  }

  @Test("--connection, --select and --ignore choose.")
  func choosing() async throws {
    let scratch = try Scratch()
    let capture = ScriptedCapture([
      Conversation(Scripts.refused, client: "10.0.0.1:1000"), Conversation(Scripts.conflict, client: "10.0.0.2:1000"),
    ])
    try scratch.write(capture.bytes, "two.pcap")
    let rules = { (arguments: [String]) async throws -> [String] in
      let run = await ProgramRun(["--json"] + arguments + [scratch.file("two.pcap")])
      let findings = (try run.document() as? [String: Any])?["findings"] as? [[String: Any]] ?? []
      return findings.compactMap { $0["rule"] as? String }
    }
    #expect(try await rules([]) == ["tcp/connect-refused", "tcp/overlap-conflict"])
    #expect(try await rules(["--connection", "2"]) == ["tcp/overlap-conflict"])
    #expect(try await rules(["--select", "tcp/connect"]) == ["tcp/connect-refused"])
    #expect(try await rules(["--only", "tcp/connect,tcp/overlap"]) == ["tcp/connect-refused", "tcp/overlap-conflict"])
    #expect(try await rules(["--ignore", "tcp/connect"]) == ["tcp/overlap-conflict"])
    #expect(try await rules(["--ignore", "tcp/"]) == [])
    #expect(try await rules(["--filter", "host 10.0.0.1"]) == ["tcp/connect-refused"])
    let text = await ProgramRun("--connection", "2", scratch.file("two.pcap")).output
    #expect(text.contains("#2  10.0.0.2:1000") && !text.contains("#1  "))
  }

  @Test("--extract writes the packets that findings cite, and no others.")
  func extract() async throws {
    let scratch = try Scratch()
    let capture = ScriptedCapture([
      Conversation(Scripts.refused, client: "10.0.0.1:1000"),
      Conversation(Scripts.quiet, client: "10.0.0.2:1000", start: 1_700_000_000_000_500_000),
    ])
    try scratch.write(capture.bytes, "in.pcap")
    let run = await ProgramRun("--extract", scratch.file("out.pcapng"), scratch.file("in.pcap"))
    #expect(run.code == .success)
    let source = try CaptureFile(path: scratch.file("out.pcapng"), filter: nil)
    var window = PacketWindow()
    var found: [[UInt8]] = []
    var times: [Int64] = []
    while try source.fill(&window) {
      for packet in window.packets {
        found.append(Array(window.bytes[packet.offset..<packet.offset + packet.capturedLength]))
        times.append(packet.time.nanoseconds)
      }
    }
    let cited = [1, 2].compactMap { capture.markers[$0] }.map { capture.frames[Int($0) - 1] }
    #expect(source.info.isComplete)
    #expect(source.info.format.kind == .pcapng)
    #expect(found == cited.map(\.bytes))
    #expect(times == cited.map(\.time))
    let file = String(decoding: try scratch.bytes("out.pcapng"), as: UTF8.self)
    #expect(file.contains("tcp/connect-refused: RST that answers it. "))
  }

  @Test("A locale without UTF-8 gets plain ASCII.")
  func locale() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.conflict, "größe.pcap")
    #expect(await ProgramRun([capture], environment: ["LC_ALL": "C"]).output.utf8.allSatisfy { $0 < 0x80 })
    #expect(await ProgramRun([capture], environment: [:]).output.contains("→"))
  }

  @Test("Colour is for terminals, unless asked for or forbidden.")
  func color() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.refused)
    let isColored = { (arguments: [String], environment: [String: String], isTerminal: Bool) in
      await ProgramRun(arguments + [capture], environment: environment, isTerminal: isTerminal).output.contains(
        "\u{1B}[")
    }
    #expect(await isColored([], [:], true))
    #expect(await !isColored([], [:], false))
    #expect(await !isColored([], ["NO_COLOR": "1"], true))
    #expect(await isColored([], ["NO_COLOR": ""], true))
    #expect(await isColored(["--color", "always"], ["NO_COLOR": "1"], false))
    #expect(await !isColored(["--color=never"], [:], true))
  }

  @Test("Payload is shown on a terminal and on request, not in pipes and documents.")
  func redaction() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.conflict)
    #expect(await ProgramRun([capture], isTerminal: true).output.contains("evil"))
    #expect(await !ProgramRun(capture).output.contains("evil"))
    #expect(await ProgramRun("--no-redact", capture).output.contains("evil"))
    #expect(await !ProgramRun(["--json", capture], isTerminal: true).output.contains("evil"))
    #expect(await ProgramRun("--json", "--no-redact", capture).output.contains("evil"))
  }

  @Test("The output is the same for any number of jobs.", arguments: ["text", "json", "ndjson"])
  func jobs(_ format: String) async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.conflict)
    let one = await ProgramRun("-o", format, "-j", "1", capture)
    #expect(await ProgramRun("-o", format, "-j", "4", capture).output == one.output)
    #expect(!one.output.isEmpty)
  }
}

@Suite("Key logs")
struct KeyLogTests {
  private static let line = "CLIENT_RANDOM \(String(repeating: "ab", count: 32)) \(String(repeating: "cd", count: 48))"

  @Test("Of a key log that is understood nothing is said; lines that are not are named.")
  func counted() async throws {
    let scratch = try Scratch()
    let log = try scratch.write("# comment\n\(Self.line)\n\(Self.line)\r\n", "keys.log")
    let run = await ProgramRun("--keylog", log, try scratch.capture(Scripts.quiet))
    #expect(run.code == .success)
    #expect(!run.output.contains("key log"))
    try scratch.write("\(Self.line)\nCLIENT_RANDOM 12\n", "keys.log")
    let cut = await ProgramRun("--keylog", log, try scratch.capture(Scripts.quiet))
    #expect(cut.output.contains("line 2 of the key log cannot be read"))
  }

  @Test("A key log that is not there, or is something else, is wrong usage.", arguments: ["", "GET / HTTP/1.1\n"])
  func wrong(_ content: String) async throws {
    let scratch = try Scratch()
    let log = scratch.file("keys.log")
    if !content.isEmpty { try scratch.write(content, "keys.log") }
    let run = await ProgramRun("--keylog", log, try scratch.capture(Scripts.quiet))
    run.expectRefusal(saying: "key log")
  }
}

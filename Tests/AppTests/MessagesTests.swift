import Assets
import Foundation
import Support
import Testing

@testable import App

@Suite("The messages of streams")
struct MessagesTests {
  private static let script =
    Scripts.hello
    + #"> "GET /s HTTP/1.1\r\nHost: a.example\r\n\r\n""# + "\n"
    + #"< "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nd\r\ndata: first\n\n\r\n""#
    + "\n+500ms\n" + #"< "1a\r\nevent: tick\nda""# + "\n+100ms\n" + #"< "ta: second\n\n\r\n5\r\n: up\n\r\n0\r\n\r\n""#
    + "\n> FIN\n< FIN\n> ACK\n"

  @Test(
    "Each has its time, its gap, the packet that completed it, its size and, where payload is shown, its beginning.")
  func lines() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("messages", "--no-redact", try scratch.capture(Self.script))
    let lines = run.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
    #expect(
      lines == [
        "time s gap packet stream kind size begins",
        "0.0040 #5 #1.1 ← event 5 B first",
        "0.6060 0.602 s #7 #1.1 ← event 6 B tick second",
        "0.6060 0 s #7 #1.1 ← comment",
        "3 messages on 1 stream 1 connection, 1 exchange",
      ])
  }

  @Test("NDJSON of them holds nothing else, and the same figures.")
  func ndjson() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("messages", "-o", "ndjson", try scratch.capture(Self.script))
    let lines = try run.lines()
    #expect(lines.map { $0["type"] as? String } == ["event", "chunk", "event", "chunk", "event", "chunk"])
    #expect(lines.compactMap { $0["bytes"] as? Int } == [5, 13, 6, 26, 0, 5])
    #expect(lines.compactMap { $0["firstPacket"] as? Int } == [5, 5, 6, 6, 7, 7])
    #expect(lines[2]["label"] as? String == "tick" && lines[2]["spanNs"] as? Int == 101_000_000)
  }

  @Test("A document keeps as many as it was asked to, and counts the rest.")
  func bound() async throws {
    let scratch = try Scratch()
    let run = await ProgramRun("--json", "--items", "4", try scratch.capture(Self.script))
    let connection = try #require(try run.connections().first)
    let items = try #require(connection["items"] as? [String: Any])
    #expect(items["kinds"] as? [String] == ["event", "chunk"] && items["kind"] as? [Int] == [0, 1, 0, 1])
    #expect(items["labels"] as? [String] == ["", "tick"] && items["label"] as? [Int] == [0, 0, 1, 0])
    #expect(connection["itemsCut"] as? Int == 2)
    let none = await ProgramRun("--json", "--items", "0", try scratch.capture(Self.script))
    #expect(!none.output.contains("\"items\""))
  }

  @Test("A capture without any says so, and formats that are none are refused.")
  func none() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.quiet)
    #expect(
      await ProgramRun("messages", capture).output.hasPrefix("no chunks, events or WebSocket messages   1 connection"))
    let refused = await ProgramRun("messages", "-o", "har", capture)
    #expect(refused.code == .failure && refused.errors.contains("messages are written as text or ndjson"))
  }

  @Test("The built-in capture is the sample that it says it is, and its report the sample's.")
  func demo() async throws {
    let wire = try #require(TextFile.read("\(SampleTests.root)/sniff/apple-512-hold.wire"))
    #expect(Assets.demo == WireFile(wire).capture.bytes)
    let run = await ProgramRun("demo", "--lint")
    let sample = try #require(TextFile.read("\(SampleTests.root)/sniff/apple-512-hold.txt"))
    #expect(run.code == .success)
    // The name of the file is shorter, and leaves room for what follows on its line.
    let from = "\n2 errors"
    let shown = try #require(run.output.firstRange(of: from))
    #expect(sample.hasSuffix(run.output[shown.lowerBound...]))
  }
}

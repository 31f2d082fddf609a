import Foundation
import Support
import Testing

@testable import App

@Suite("Files of one recorder")
struct SeriesTests {
  /// A conversation in as many files as its packets, two each.
  private static func parts(_ scratch: Scratch, _ script: String, named name: (Int) -> String) throws -> [String] {
    let whole = try scratch.bytes(URL(filePath: try scratch.capture(script, "whole")).lastPathComponent)
    var parts: [[UInt8]] = []
    var at = 24
    while at + 16 <= whole.count {
      let length = (0..<4).reduce(0) { $0 | Int(whole[at + 8 + $1]) << (8 * $1) }
      parts.append(Array(whole[at..<at + 16 + length]))
      at += 16 + length
    }
    return try stride(from: 0, to: parts.count, by: 2).map { start in
      let records = parts[start..<min(start + 2, parts.count)].flatMap { $0 }
      return try scratch.write(Array(whole[..<24]) + records, name(start / 2))
    }
  }

  @Test("In any order they give the report of the whole, and an order that is not theirs is told in one line.")
  func whole() async throws {
    let scratch = try Scratch()
    let parts = try Self.parts(scratch, Scripts.conflict) { "cap.pcap\($0)" }
    let whole = await ProgramRun("--json", scratch.file("whole"))
    // Findings cite the files; Tests/EndToEnd/series holds those against the whole.
    let report = { (text: String) in
      text.split(separator: "\n").drop { !$0.contains("\"summary\"") }.prefix { $0 != "  \"findings\": [" }
    }
    let messages = { (run: ProgramRun) in
      run.output.split(separator: "\n").filter { $0.contains("\"message\"") || $0.contains("\"note\"") }
    }
    for order in [parts, parts.reversed()] {
      let run = await ProgramRun(["--series", "--json"] + order)
      #expect(run.code == .success)
      #expect(report(run.output) == report(whole.output))
      #expect(messages(run) == messages(whole) && !messages(whole).isEmpty)
      #expect(run.errors.isEmpty == (order == parts))
    }
    let backwards = await ProgramRun(["--series", "--json"] + parts.reversed())
    #expect(
      backwards.errors == """
        streamscope: the files are read in the order of their times, not as given; the first is \(parts[0])

        """)
  }

  @Test("A folder and a list name files, too.")
  func lists() async throws {
    let scratch = try Scratch()
    let parts = try Self.parts(scratch, Scripts.conflict) { "cap.pcap\($0)" }
    let named = await ProgramRun(["--series"] + parts)
    let list = try scratch.write(parts.joined(separator: "\n") + "\n", "list")
    #expect(await ProgramRun("--series", "--files-from", list).output == named.output)
    let ended = try scratch.write(parts.map { $0 + "\0" }.joined(), "ended")
    #expect(await ProgramRun("--series", "--files-from", ended).output == named.output)
    try FileManager.default.removeItem(atPath: scratch.file("whole"))
    #expect(await ProgramRun("--series", scratch.path).output == named.output)
  }

  @Test("A file that cannot be read is named in the report of the others, and the exit code is 2.")
  func damaged() async throws {
    let scratch = try Scratch()
    var parts = try Self.parts(scratch, Scripts.conflict) { "cap.pcap\($0)" }
    parts.append(try scratch.write("no capture", "cap.pcap99"))
    let run = await ProgramRun(["--series"] + parts)
    #expect(run.code == .failure)
    let words = run.output.split { $0.isWhitespace }.joined(separator: " ")
    #expect(words.contains("cap.pcap99 was not read: not a capture"))
    #expect(words.contains("cap.pcap1 #2 [4 B"))
    #expect(run.output.contains("tcp/overlap-conflict"))
    let check = await ProgramRun(["check", "--series"] + parts)
    #expect(check.code == .failure)
    #expect(check.output.contains("1 file not readable"))
  }

  @Test("Given one by one, they get a hint; other files do not.")
  func hint() async throws {
    let scratch = try Scratch()
    let parts = try Self.parts(scratch, Scripts.conflict) { "cap.pcap\($0)" }
    let run = await ProgramRun(parts)
    #expect(run.code == .success)
    #expect(run.errors.contains("these \(parts.count) files look like one capture in rotation; with --series"))
    let others = try Self.parts(scratch, Scripts.conflict) { ["first.pcap", "second.pcap", "third.pcap"][$0 % 3] }
    #expect(await ProgramRun(Array(others.prefix(2))).errors == "")
  }
}

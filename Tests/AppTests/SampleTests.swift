import Events
import Foundation
import Rules
import Support
import Testing

@testable import App

/// The samples that are written as wire scripts: each stands beside what the program says of it.
@Suite("Samples")
struct SampleTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../samples")
    .standardizedFileURL.path()

  static let names: [String] = (FileManager.default.subpaths(atPath: root) ?? [])
    .filter { $0.hasSuffix(".wire") }.map { String($0.dropLast(5)) }.sorted()

  /// Those of samples/rules are called as the rule that they are of.
  private static func rule(of name: String) -> String? {
    name.hasPrefix("rules/") ? String(name.dropFirst("rules/".count)) : nil
  }

  @Test("Every story stands in their README.")
  func listed() throws {
    let readme = try #require(TextFile.read("\(Self.root)/README.md"))
    for name in Self.names where Self.rule(of: name) == nil { #expect(readme.contains("| `\(name)` |"), "\(name)") }
  }

  @Test("The report on a sample is the one beside it.", arguments: names)
  func sample(_ name: String) async throws {
    let text = try #require(TextFile.read("\(Self.root)/\(name).wire"))
    #expect(!WireFile(text).notes.isEmpty, "the first lines say what happened")
    let scratch = try Scratch()
    let capture = try scratch.captures(text, name.split(separator: "/").last.map { $0 + ".pcap" } ?? "")
    let keys = TextFile.read("\(Self.root)/\(name).keys")
    // What a check says of a capture in which there is nothing to check.
    let command = Self.rule(of: name) == NothingToCheck.info.id.text ? "check" : "--lint"
    let run = await ProgramRun(
      [command] + (try keys.map { ["--keylog", try scratch.write($0, "keys.log")] } ?? []) + [capture])
    #expect(run.errors == "")
    if let rule = Self.rule(of: name) {
      #expect(Registry.info(RuleID(rule)) != nil && run.output.contains("\(rule)"), "its rule is told")
    }
    let difference = Golden.differenceFromFile(
      run.output, at: "\(Self.root)/\(name).txt", called: "samples/\(name).txt")
    #expect(difference == nil, "\(difference ?? "")")
  }
}

import Foundation
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

  @Test("Every sample stands in their README.")
  func listed() throws {
    let readme = try #require(TextFile.read("\(Self.root)/README.md"))
    for name in Self.names { #expect(readme.contains("| `\(name)` |"), "\(name)") }
  }

  @Test("The report on a sample is the one beside it.", arguments: names)
  func sample(_ name: String) async throws {
    let text = try #require(TextFile.read("\(Self.root)/\(name).wire"))
    #expect(!WireFile(text).notes.isEmpty, "the first lines say what happened")
    let scratch = try Scratch()
    let capture = try scratch.captures(text, name.split(separator: "/").last.map { $0 + ".pcap" } ?? "")
    let run = await ProgramRun("--lint", capture)
    #expect(run.errors == "")
    let difference = Golden.differenceFromFile(
      run.output, at: "\(Self.root)/\(name).txt", called: "samples/\(name).txt")
    #expect(difference == nil, "\(difference ?? "")")
  }
}

import Events
import Foundation
import Rules
import Support
import Testing

/// `samples/rules` holds a conversation for each rule that no story in `samples/README.md` is about: the first row on
/// which it fires. What the program says of it stands beside it, and is compared by the tests of the program.
@Suite("Samples of rules")
struct RuleSampleTests {
  private static let samples: String =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/") + "/samples"

  /// Rules in the last column of the tables.
  private static let told: Set<String> = {
    var told: Set<String> = []
    for line in (TextFile.read("\(samples)/README.md") ?? "").split(separator: "\n") where line.hasPrefix("| `") {
      let columns = line.split(separator: "|")
      guard let rules = columns.last else { continue }
      for id in rules.matches(of: /[a-z0-9]+\/[a-z0-9-]+/) { told.insert(String(id.output)) }
    }
    return told
  }()

  static let untold: [RuleID] = Registry.all.map(\.id).filter { !told.contains($0.text) }

  @Test("A rule that no story is about has its first row as a sample.", arguments: untold)
  func sample(_ id: RuleID) throws {
    let row = try #require(RuleRows.all.first { $0.rule == id && $0.fires != nil && $0.isScript })
    let text = "# \(row.testDescription)\n# Rule: \(id.text)\n\(row.script)"
    let name = "rules/\(id.text)"
    expect(text.last == "\n" ? text : text + "\n", in: name + ".wire")
    if !row.keyLog.isEmpty { expect(row.keyLog, in: name + ".keys") }
  }

  @Test("No sample is left of a rule that has a story, or is gone.")
  func leftOver() {
    let names = (FileManager.default.subpaths(atPath: Self.samples + "/rules") ?? [])
      .filter { $0.hasSuffix(".wire") }.map { String($0.dropLast(5)) }
    #expect(Set(names) == Set(Self.untold.map(\.text)))
  }

  private func expect(_ text: String, in name: String) {
    let difference = Golden.differenceFromFile(text, at: "\(Self.samples)/\(name)", called: "samples/\(name)")
    #expect(difference == nil, "\(difference ?? "")")
  }
}

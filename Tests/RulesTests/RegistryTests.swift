import Events
import Foundation
import Testing

@testable import Rules

/// What holds for every rule there is, so that a new one cannot forget it.
@Suite("The registry of rules")
struct RegistryTests {
  @Test("Ids are family/defect in lower case, sorted and unique.")
  func ids() {
    let ids = Registry.all.map(\.id)
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == ids.count)
    for id in ids { #expect(id.text.wholeMatch(of: /[a-z][a-z0-9]*\/[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(id)") }
  }

  @Test("A family holds the ids that begin with its prefix, and every rule is in one.")
  func families() {
    for family in Registry.families {
      #expect(!family.rules.isEmpty)
      for rule in family.rules { #expect(rule.id.family == family.prefix) }
    }
    #expect(Registry.families.map(\.prefix) == Registry.families.map(\.prefix).sorted())
    #expect(Registry.all.count == Registry.families.reduce(0) { $0 + $1.rules.count })
  }

  @Test("Texts are there, and the summary is one sentence.", arguments: Registry.all.map(\.id))
  func texts(_ id: RuleID) throws {
    let info = try #require(Registry.info(id))
    #expect(info.summary.last == ".")
    // Versions have a dot, too.
    #expect(!info.summary.contains(". "))
    #expect(info.summary.first?.isUppercase == true)
    #expect(!info.summary.contains("\n"))
    for text in [info.explanation, info.evidence, info.fix] {
      #expect(!text.isEmpty)
      #expect(text.last == ".")
      #expect(!text.contains("\n") && !text.contains("  "))
    }
    #expect(info.since.wholeMatch(of: /\d+\.\d+/) != nil)
  }

  @Test("References have a name and a link that is one.", arguments: Registry.all.map(\.id))
  func references(_ id: RuleID) throws {
    for reference in try #require(Registry.info(id)).specifications {
      #expect(!reference.name.isEmpty)
      let url = try #require(URL(string: reference.link))
      #expect(url.scheme == "https")
      #expect(url.host()?.contains(".") == true)
      #expect(!reference.link.contains(" "))
      // A section that the name promises is the one the link opens.
      if let section = reference.name.firstMatch(of: /RFC (\d+) §([\d.]+)/) {
        #expect(reference.link == "https://www.rfc-editor.org/rfc/rfc\(section.1)#section-\(section.2)")
      }
    }
  }

  @Test("Every rule has a row on which it fires and one on which it is silent.", arguments: Registry.all.map(\.id))
  func rows(_ id: RuleID) {
    let rows = RuleRows.all.filter { $0.rule == id }
    #expect(rows.contains { $0.fires != nil })
    #expect(rows.contains { $0.fires == nil })
  }

  @Test("Every row is about a rule that exists, and says something else than the others.")
  func orphans() {
    for row in RuleRows.all { #expect(Registry.info(row.rule) != nil) }
    let names = RuleRows.all.map { $0.rule.text + $0.testDescription }
    #expect(Set(names).count == names.count)
  }

  @Test("A selector picks rules by the beginning of their ids.")
  func selectors() {
    #expect(Registry.matching("tcp/").allSatisfy { $0.id.family == "tcp" })
    #expect(Registry.matching("tcp/").count == Registry.matching("tcp").count)
    #expect(Registry.matching("").count == Registry.all.count)
    #expect(Registry.matching("tcp/connect-refused").map(\.id) == ["tcp/connect-refused"])
    #expect(Registry.matching("no/such").isEmpty)
  }
}
